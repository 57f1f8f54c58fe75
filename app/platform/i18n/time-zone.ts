/** The zone of all times that are shown. One for server and browser: a text must not change when scripts take over. */
export const TIME_ZONE = "Europe/Berlin";

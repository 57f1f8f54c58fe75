/** Time zone of all displayed times, the same on server and browser: hydration must not change a text. */
export const TIME_ZONE = "Europe/Berlin";

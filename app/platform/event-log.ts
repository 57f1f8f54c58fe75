/** Log function for parts of the application. */
export type EventLog = (event: string, fields?: Record<string, unknown>) => void;

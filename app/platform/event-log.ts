/**
 * Log function for parts of the application. An event is a short sentence without its fields, such as `mail given up`. Events of
 * pages and connections are names that begin with `page.` or `egress.`.
 */
export type EventLog = (event: string, fields?: Record<string, unknown>) => void;

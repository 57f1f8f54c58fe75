/** Value as JSON text. Only the models read and write it. */
export type JsonText = string;

/** Sortable time for file names, such as `20261127T021500Z`. @param at Unix time in ms */
export const fileTime = (at: number): string => new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, "");

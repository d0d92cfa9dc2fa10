/** The number of a text; null where it is no whole number, as an empty field. */
export const wholeOf = (text: string): number | null => (/^\d{1,15}$/.test(text.trim()) ? Number(text) : null);

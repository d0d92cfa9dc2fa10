/** The texts of another language: the same keys. */
export type SameTexts<T> = { readonly [K in keyof T]: string };

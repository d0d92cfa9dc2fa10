import type { Locale } from '@swim/contracts';
import { de } from './de.js';
import { en, type Texts } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';

/** The texts of every language. */
export const TEXTS: Readonly<Record<Locale, Texts>> = { en, de, es, fr };

/** A text with these values in place of its placeholders. Throws for a placeholder without a value. */
export function filledIn(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`The text has no value for ${placeholder}.`);
    return String(value);
  });
}

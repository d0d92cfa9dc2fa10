import { createContext, type ReactNode, use, useMemo, useSyncExternalStore } from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import type { Locale } from '../api/me.ts';
import type { TextKey, Texts } from './en.ts';
import { filledIn } from './filled-in.ts';
import { type Rejection, sentenceOf } from './reasons.ts';

export const LOCALES = ['en', 'de', 'es', 'fr'] as const;

/** The forms of dates and numbers; English is written with a 24-hour clock and the day first, as most of its readers here do. */
const TAGS: Readonly<Record<Locale, string>> = { en: 'en-GB', de: 'de-DE', es: 'es-ES', fr: 'fr-FR' };

const STORED = 'swim-locale';

const LOADERS: Readonly<Record<Locale, () => Promise<Texts>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
};

const loaded = new Map<Locale, Promise<Texts>>();

const isLocale = (value: unknown): value is Locale => LOCALES.includes(value as Locale);

/** The language of a visitor who is not signed in: the one chosen here before, else the browser's first that there is. */
function visitorsLocale(): Locale {
  const chosen = localStorage.getItem(STORED);
  if (isLocale(chosen)) return chosen;
  return navigator.languages.map((each) => each.slice(0, 2)).find(isLocale) ?? 'en';
}

function onChoice(changed: () => void): () => void {
  const controller = new AbortController();
  addEventListener('storage', changed, { signal: controller.signal });
  return () => controller.abort();
}

/** The language of a visitor. The page stays when it changes: what was typed, and the token of a link, would be lost with it. */
export const useVisitorsLocale = (): Locale => useSyncExternalStore(onChoice, visitorsLocale);

/** Remembers the language for the pages before the next sign-in. */
export function rememberLocale(locale: Locale): void {
  localStorage.setItem(STORED, locale);
  // Browsers tell other pages only.
  dispatchEvent(new StorageEvent('storage', { key: STORED }));
}

/** The texts of a language, loaded once. */
function textsOf(locale: Locale): Promise<Texts> {
  const known = loaded.get(locale);
  if (known !== undefined) return known;
  const loading = LOADERS[locale]();
  loaded.set(locale, loading);
  // A later try may succeed.
  loading.catch(() => loaded.delete(locale));
  return loading;
}

/** The language of the page. */
export interface Language {
  readonly locale: Locale;
  /** The tag by which `Intl` formats. */
  readonly tag: string;
  /** The text of a key, with values in place of its placeholders. */
  readonly t: (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;
  /** The text of a key that is made of a value of the API, such as a status; the value itself where there is none. */
  readonly named: (prefix: string, value: string) => string;
  /** The sentence about what the API rejects. */
  readonly rejected: (rejection: Rejection) => string;
}

const LanguageContext = createContext<Language | null>(null);

/** Provides a language; suspends until its texts are loaded. */
export function LanguageProvider({ locale, children }: { locale: Locale; children: ReactNode }) {
  const texts = use(textsOf(locale));
  const language = useMemo<Language>(() => {
    document.documentElement.lang = locale;
    return {
      locale,
      tag: TAGS[locale],
      t: (key, values = {}) => filledIn(texts[key], values),
      named: (prefix, value) => texts[`${prefix}.${value}` as TextKey] ?? value.replaceAll('_', ' '),
      rejected: (rejection) => sentenceOf(rejection, texts, TAGS[locale]),
    };
  }, [locale, texts]);
  return (
    <I18nProvider locale={language.tag}>
      <LanguageContext value={language}>{children}</LanguageContext>
    </I18nProvider>
  );
}

/** The language of the page. */
export function useLanguage(): Language {
  const language = use(LanguageContext);
  if (!language) throw new Error('The page has no language.');
  return language;
}

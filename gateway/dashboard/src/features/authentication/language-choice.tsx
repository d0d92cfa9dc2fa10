import { Choice } from '../../design/fields.tsx';
import { LOCALES, rememberLocale, useLanguage } from '../../texts/language.tsx';

const NAMES = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const;
const OPTIONS = LOCALES.map((value) => ({ value, label: NAMES[value] }));

/** The language of the pages before a sign-in. */
export function LanguageChoice() {
  const { locale, t } = useLanguage();
  const choose = (chosen: (typeof LOCALES)[number]) => {
    rememberLocale(chosen);
    location.reload();
  };
  return <Choice label={t('visitor.language')} hideLabel value={locale} onChange={choose} options={OPTIONS} />;
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dashboardApi } from '../../api/dashboard-api.ts';
import { type Locale, type Me, meQuery, useMe } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { ErrorNotice, fieldErrorOf, Notice } from '../../design/notice.tsx';
import { chooseTheme, chosenTheme, THEMES } from '../../design/theme.ts';
import { LOCALES, rememberLocale, useLanguage } from '../../texts/language.tsx';

const LANGUAGES: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' };

function ThemeChoice() {
  const { t } = useLanguage();
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (chosen: typeof theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  const options = THEMES.map((value) => ({ value, label: t(`settings.theme.${value}`) }));
  return <Choice label={t('settings.theme')} value={theme} onChange={choose} options={options} />;
}

/** Name, language and appearance. */
export function Profile() {
  const { t } = useLanguage();
  const { user } = useMe();
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (sent: Pick<Me['user'], 'name' | 'locale'>) => dashboardApi.patch<Me>('/me', sent),
    onSuccess: (_, { locale }) => {
      rememberLocale(locale);
      return queries.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
  const { values, set, submit } = useForm({ name: user.name, locale: user.locale }, (sent) => save.mutate(sent));
  return (
    <div className="settings-column">
      <form className="card stack" onSubmit={submit}>
        <TextField
          label={t('auth.name')}
          value={values.name}
          onChange={(name) => set({ name })}
          error={fieldErrorOf(save.error, 'name')}
          autoComplete="name"
          isRequired
        />
        <TextField label={t('auth.email')} value={user.email} isReadOnly />
        <Choice
          label={t('visitor.language')}
          value={values.locale}
          onChange={(locale) => set({ locale })}
          options={LOCALES.map((value) => ({ value, label: LANGUAGES[value] }))}
        />
        <ErrorNotice error={save.error} />
        {save.isSuccess && <Notice kind="success">{t('action.saved')}</Notice>}
        <div>
          <Button kind="primary" type="submit" isPending={save.isPending}>
            {t('action.save')}
          </Button>
        </div>
      </form>
      <div className="card">
        <ThemeChoice />
      </div>
    </div>
  );
}

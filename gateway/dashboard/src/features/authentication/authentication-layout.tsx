import { type FormEvent, type ReactNode, useEffect } from 'react';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { LOCALES, rememberLocale, useLanguage } from '../../texts/language.tsx';
import './authentication.css';

const NAMES = { en: 'English', de: 'Deutsch', es: 'Español', fr: 'Français' } as const;
const OPTIONS = LOCALES.map((value) => ({ value, label: NAMES[value] }));

/** The language of the pages before a sign-in. */
function LanguageChoice() {
  const { locale, t } = useLanguage();
  return <Choice label={t('visitor.language')} hideLabel value={locale} onChange={rememberLocale} options={OPTIONS} />;
}

interface LayoutProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  /** Content below the card, such as a link to another page. */
  readonly more?: ReactNode;
}

/** The frame of the pages for visitors. */
export function AuthenticationLayout({ title, lead, children, more }: LayoutProps) {
  const { t } = useLanguage();
  useEffect(() => {
    document.title = `${title} – Swim`;
  }, [title]);
  return (
    <div className="visitor">
      <header>
        <span className="brand">Swim</span>
      </header>
      <main className="visitor-main">
        <div className="card visitor-card">
          <div className="stack-tight">
            <h1>{title}</h1>
            {lead && <p className="hint">{lead}</p>}
          </div>
          {children}
        </div>
        {more && <p className="visitor-more">{more}</p>}
      </main>
      <footer>
        <a href="/docs">{t('nav.docs')}</a>
        <LanguageChoice />
      </footer>
    </div>
  );
}

interface FormProps {
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** The mutation that submits the form. */
  readonly sending: { readonly error: unknown; readonly isPending: boolean };
  /** The label of the button. */
  readonly action: string;
  readonly children: ReactNode;
  /** Content below the button. */
  readonly more?: ReactNode;
}

/** A form of a page for visitors: its fields, then the error of its request and the button that sends it. */
export function VisitorForm({ onSubmit, sending, action, children, more }: FormProps) {
  return (
    <form className="visitor-form" onSubmit={onSubmit}>
      {children}
      <ErrorNotice error={sending.error} />
      <Button kind="primary" type="submit" isPending={sending.isPending}>
        {action}
      </Button>
      {more}
    </form>
  );
}

interface EmailProps {
  readonly autoComplete: string;
  readonly value: string;
  readonly onChange: (email: string) => void;
}

/** The e-mail address of a user. */
export function EmailField(props: EmailProps) {
  const { t } = useLanguage();
  return <TextField label={t('auth.email')} type="email" name="email" isRequired {...props} />;
}

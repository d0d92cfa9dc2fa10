import { type ReactNode, useEffect } from 'react';
import { useLanguage } from '../../texts/language.tsx';
import { LanguageChoice } from './language-choice.tsx';
import './authentication.css';

interface LayoutProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
  /** What stands below the card, such as the way to another page. */
  readonly more?: ReactNode;
}

/** What surrounds the pages for visitors. */
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
        <a href="/docs">{t('visitor.docs')}</a>
        <LanguageChoice />
      </footer>
    </div>
  );
}

import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { useLanguage } from '../texts/language.tsx';
import { ErrorNotice } from './notice.tsx';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** For pages that show as much as the window can show. */
  readonly isWide?: boolean;
}

/** A page: its title is also the window's. */
export function Page({ title, lead, actions, children, isWide = false }: PageProps) {
  useEffect(() => {
    document.title = `${title} – Swim`;
  }, [title]);
  return (
    <div className={`page${isWide ? ' page-wide' : ''}`}>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lead && <p className="lead">{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** The heading below the nearest one above: an empty state of a page has no section's title over it. */
const HeadingBelow = createContext<'h2' | 'h3'>('h2');

/** A part of a page with a title of its own. */
export function Section({ title, lead, actions, children }: Omit<PageProps, 'isWide'>) {
  return (
    <section className="section">
      <header className="section-head">
        <div>
          <h2>{title}</h2>
          {lead && <p className="hint">{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      <HeadingBelow value="h3">{children}</HeadingBelow>
    </section>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

/** An empty list: it says which entries would be here, and how to make one. */
export function Empty({ title, children, action }: EmptyProps) {
  const Heading = use(HeadingBelow);
  return (
    <div className="empty">
      <Heading>{title}</Heading>
      {children && <div className="empty-text">{children}</div>}
      {action && <div className="empty-action">{action}</div>}
    </div>
  );
}

const SOON_MS = 300;

/** Says that something is being loaded, once that takes long enough to be noticed. */
export function Loading() {
  const { t } = useLanguage();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SOON_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" role="status">
      {isShown && (
        <>
          <span className="spinner" aria-hidden="true" /> {t('state.loading')}
        </>
      )}
    </div>
  );
}

interface Loaded<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isPending: boolean;
}

/** Shows what a query has loaded; its error, or that it is being loaded, until then. */
export function Shown<T>({ query, children }: { query: Loaded<T>; children: (data: T) => ReactNode }) {
  const { data, error } = query;
  if (data !== undefined) {
    return (
      <>
        {children(data)}
        {Boolean(error) && <ErrorNotice error={error} />}
      </>
    );
  }
  return error ? <ErrorNotice error={error} /> : <Loading />;
}

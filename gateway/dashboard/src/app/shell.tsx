import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link, useLocation } from 'wouter';
import { ENVIRONMENTS } from '../api/client.ts';
import { dashboardApi } from '../api/dashboard-api.ts';
import { useEnvironment } from '../api/environment.tsx';
import { type Me, useMe, useScopes, useSignedIn } from '../api/me.ts';
import { Button } from '../design/button.tsx';
import { Choice } from '../design/fields/fields.tsx';
import { Icon } from '../design/icon.tsx';
import { Notice } from '../design/notice.tsx';
import { SignOutButton } from '../features/authentication/sign-out-button.tsx';
import { useLanguage } from '../texts/language.tsx';
import { Confirmation } from './confirmation.tsx';
import { navigationOf, pathInOther } from './navigation.ts';
import { useUnsavedGuard } from './unsaved.ts';

/** The switch between live and sandbox. It is a link to the same page on the other side. */
function EnvironmentSwitch() {
  const { t } = useLanguage();
  const current = useEnvironment();
  const [location] = useLocation();
  const { environments } = useMe();
  if (environments.length < 2) return null;
  return (
    <nav className="environments" aria-label={t('environment.label')}>
      {ENVIRONMENTS.filter((each) => environments.includes(each)).map((each) => (
        <Link
          key={each}
          href={`~/dashboard/${each}${each === current ? location : pathInOther(location)}`}
          className={`environment environment-${each}`}
          aria-current={each === current ? 'true' : undefined}
        >
          {t(`environment.${each}`)}
        </Link>
      ))}
    </nav>
  );
}

interface OwnAccount {
  readonly id: string;
  readonly name: string;
}

/** The switch between the accounts of a user who has several. */
function AccountSwitch() {
  const { t } = useLanguage();
  const { account } = useMe();
  const signedIn = useSignedIn();
  const [, navigate] = useLocation();
  const { data = [] } = useQuery({
    queryKey: ['accounts'],
    queryFn: () => dashboardApi.get<OwnAccount[]>('/accounts'),
  });
  const change = useMutation({
    mutationFn: (id: string) => dashboardApi.post<Me>('/accounts/switch', { account_id: id }),
    onSuccess: (me) => {
      navigate('~/dashboard/');
      signedIn(me);
    },
  });
  if (data.length < 2) return null;
  return (
    <div className="account-switch">
      <Choice
        label={t('account.switch')}
        hideLabel
        value={account.id}
        onChange={(id) => change.mutate(id)}
        options={data.map(({ id, name }) => ({ value: id, label: name }))}
        isDisabled={change.isPending}
      />
    </div>
  );
}

function Navigation({ onFollow }: { onFollow: () => void }) {
  const { t } = useLanguage();
  const me = useMe();
  const can = useScopes();
  const [location] = useLocation();
  return (
    <nav aria-label={t('nav.label')} className="navigation">
      {navigationOf(me, useEnvironment(), can).map(({ title, entries }) => (
        <div key={title} className="navigation-group">
          <h2>{t(title)}</h2>
          <ul className="plain-list">
            {entries.map((entry) => (
              <li key={entry.path}>
                <Link
                  href={entry.path}
                  onClick={onFollow}
                  aria-current={location.startsWith(entry.path) ? 'page' : undefined}
                >
                  <Icon name={entry.icon} />
                  {t(entry.title)}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Person() {
  const { t } = useLanguage();
  const { user, account } = useMe();
  return (
    <section className="person" aria-label={t('nav.account')}>
      <div className="person-names">
        <strong>{account.name}</strong>
        <span>{user.name}</span>
      </div>
      <a href="/docs">{t('nav.docs')}</a>
      <SignOutButton small label={t('signOut.action')} />
    </section>
  );
}

/** Moves the focus to a page that was navigated to, as a browser does with a page that it loads. */
function useFocusOnPage(location: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(location);
  useEffect(() => {
    if (shown.current === location) return;
    shown.current = location;
    main.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [location]);
  return main;
}

function onConnection(changed: () => void): () => void {
  const controller = new AbortController();
  for (const type of ['online', 'offline']) addEventListener(type, changed, { signal: controller.signal });
  return () => controller.abort();
}

/** The frame of the pages of a signed-in user: navigation and environment. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useLanguage();
  const environment = useEnvironment();
  const [location] = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const main = useFocusOnPage(location);
  useUnsavedGuard();
  const isOnline = useSyncExternalStore(onConnection, () => navigator.onLine);
  const isOpen = openAt === location;
  return (
    <div className="shell" data-environment={environment}>
      <a className="skip" href="#main">
        {t('nav.skip')}
      </a>
      <header className="topbar">
        <span className="menu-button">
          <Button kind="quiet" aria-expanded={isOpen} onPress={() => setOpenAt(isOpen ? null : location)}>
            <Icon name={isOpen ? 'close' : 'menu'} />
            <span className="visually-hidden">{t('nav.menu')}</span>
          </Button>
        </span>
        <Link href="/" className="brand">
          Swim
        </Link>
        {environment === 'sandbox' && <span className="sandbox-note">{t('environment.note')}</span>}
        <AccountSwitch />
        <EnvironmentSwitch />
      </header>
      <div className="sidebar" data-open={isOpen}>
        <Navigation onFollow={() => setOpenAt(null)} />
        <Person />
      </div>
      <main id="main" ref={main} tabIndex={-1}>
        {!isOnline && (
          <div className="offline">
            <Notice kind="warning">{t('error.offline')}</Notice>
          </div>
        )}
        {children}
      </main>
      <Confirmation />
    </div>
  );
}

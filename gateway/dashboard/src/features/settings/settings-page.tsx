import { lazy, Suspense } from 'react';
import { Link, useParams } from 'wouter';
import { useMe, useScopes } from '../../api/me.ts';
import { Loading, Page } from '../../design/page.tsx';
import type { TextKey } from '../../texts/en.ts';
import { useLanguage } from '../../texts/language.tsx';
import { Profile } from './profile.tsx';
import './settings.css';

const Account = lazy(() => import('./account.tsx'));
const Security = lazy(() => import('./security.tsx'));
const People = lazy(() => import('./people.tsx'));
const Activity = lazy(() => import('./activity.tsx'));

interface PartEntry {
  readonly path: string;
  readonly title: TextKey;
  /** Whether only owners and admins see it. */
  readonly isOfAdmins?: boolean;
}

const PARTS: readonly PartEntry[] = [
  { path: '', title: 'settings.profile' },
  { path: 'account', title: 'nav.account', isOfAdmins: true },
  { path: 'security', title: 'settings.security' },
  { path: 'people', title: 'settings.people', isOfAdmins: true },
  { path: 'activity', title: 'settings.activity', isOfAdmins: true },
];

function Part({ name }: { name: string }) {
  if (name === 'account') return <Account />;
  if (name === 'security') return <Security />;
  if (name === 'people') return <People />;
  return name === 'activity' ? <Activity /> : <Profile />;
}

/** The settings of the user and of the account. */
export default function SettingsPage() {
  const { t } = useLanguage();
  const { part = '' } = useParams<{ part?: string }>();
  const canReadKeys = useScopes()('keys:read');
  const isAdmin = ['owner', 'admin'].includes(useMe().user.role);
  return (
    <Page title={t('nav.settings')}>
      <nav className="tabs" aria-label={t('nav.settings')}>
        {PARTS.filter(({ isOfAdmins }) => isAdmin || !isOfAdmins).map(({ path, title }) => (
          <Link
            key={path}
            href={path ? `/settings/${path}` : '/settings'}
            aria-current={part === path ? 'page' : undefined}
          >
            {t(title)}
          </Link>
        ))}
        {canReadKeys && <Link href="/developers/keys">{t('nav.keys')}</Link>}
      </nav>
      <Suspense fallback={<Loading />}>
        <Part name={part} />
      </Suspense>
    </Page>
  );
}

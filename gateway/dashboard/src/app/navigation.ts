import type { Environment } from '../api/client.ts';
import type { Me } from '../api/me.ts';
import type { IconName } from '../design/icon.tsx';
import type { TextKey } from '../texts/en.ts';

/** A page in the navigation. */
interface Entry {
  readonly path: string;
  readonly title: TextKey;
  readonly icon: IconName;
  /** The account that it is for; both without. */
  readonly kind?: Me['account']['kind'];
  readonly environment?: Environment;
  /** The scope without which it would be empty. */
  readonly scope?: string;
  /** Whether a user of the role `instructor` sees it, who has no scope. */
  readonly isTeachers?: true;
}

interface Group {
  readonly title: TextKey;
  readonly entries: readonly Entry[];
}

const GROUPS: readonly Group[] = [
  {
    title: 'nav.lessons',
    entries: [
      { path: '/home', title: 'home.title', icon: 'home', kind: 'family', scope: 'bookings:read' },
      { path: '/calendar', title: 'nav.calendar', icon: 'calendar', kind: 'school', scope: 'sessions:read' },
      { path: '/today', title: 'nav.today', icon: 'today', kind: 'school', scope: 'sessions:read', isTeachers: true },
      { path: '/open-lessons', title: 'open.title', icon: 'calendar', kind: 'family', scope: 'sessions:read' },
      { path: '/classes', title: 'classes.title', icon: 'classes', scope: 'sessions:read' },
      { path: '/bookings', title: 'nav.bookings', icon: 'bookings', scope: 'bookings:read' },
      { path: '/members', title: 'nav.members', icon: 'members', kind: 'school', scope: 'members:read' },
      { path: '/members', title: 'nav.children', icon: 'members', kind: 'family', scope: 'members:read' },
      { path: '/families', title: 'connections.title.school', icon: 'families', kind: 'school', scope: 'members:read' },
      { path: '/schools', title: 'connections.title.family', icon: 'families', kind: 'family', scope: 'members:read' },
      { path: '/instructors', title: 'nav.instructors', icon: 'instructors', scope: 'instructors:read' },
      { path: '/pools', title: 'nav.pools', icon: 'pools', kind: 'school', scope: 'instructors:read' },
      { path: '/closures', title: 'nav.closures', icon: 'closures', kind: 'school', scope: 'sessions:read' },
      { path: '/waitlist', title: 'nav.waitlist', icon: 'waitlist', scope: 'bookings:read' },
      { path: '/statement', title: 'nav.statement', icon: 'statement', kind: 'school', scope: 'payments:read' },
      { path: '/policies', title: 'nav.policies', icon: 'policies', kind: 'school', scope: 'accounts:read' },
      { path: '/payment-methods', title: 'nav.methods', icon: 'methods', kind: 'family', scope: 'payments:read' },
    ],
  },
  {
    title: 'nav.developers',
    entries: [
      { path: '/developers/keys', title: 'nav.keys', icon: 'keys', scope: 'keys:read' },
      { path: '/developers/webhooks', title: 'nav.webhooks', icon: 'webhooks', scope: 'webhooks:read' },
      { path: '/developers/events', title: 'nav.events', icon: 'events', scope: 'events:read' },
      { path: '/developers/requests', title: 'nav.requests', icon: 'requests', scope: 'keys:read' },
      { path: '/developers/usage', title: 'nav.usage', icon: 'usage', scope: 'keys:read' },
      {
        path: '/developers/clock',
        title: 'nav.clock',
        icon: 'sandbox',
        environment: 'sandbox',
        scope: 'accounts:write',
      },
    ],
  },
  { title: 'nav.account', entries: [{ path: '/settings', title: 'nav.settings', icon: 'settings' }] },
];

const isFor = (me: Me, environment: Environment, can: (scope: string) => boolean) => (entry: Entry) =>
  (!entry.kind || entry.kind === me.account.kind) &&
  (!entry.environment || entry.environment === environment) &&
  (!entry.scope || can(entry.scope) || (entry.isTeachers === true && me.user.instructor_id !== null));

/** The navigation of a user in an environment; groups without a page for them are left out. */
export function navigationOf(me: Me, environment: Environment, can: (scope: string) => boolean): readonly Group[] {
  return GROUPS.map(({ title, entries }) => ({ title, entries: entries.filter(isFor(me, environment, can)) })).filter(
    ({ entries }) => entries.length > 0,
  );
}

/** The page of an address in the other environment: that of its list, where it shows one object of this one. */
export function pathInOther(location: string): string {
  const parts = location.split('/');
  const at = parts.findIndex((part) => part.includes('_'));
  return at < 0 ? location : parts.slice(0, at).join('/');
}

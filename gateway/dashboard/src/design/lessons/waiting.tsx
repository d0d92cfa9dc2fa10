import type { WaitlistEntry } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../api/environment.tsx';
import { useMe } from '../../api/me.ts';
import { useMemberNames } from '../../api/names.ts';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { Badge } from '../badge.tsx';
import { Section } from '../page.tsx';
import { type Column, Table } from '../tables/table.tsx';
import { Instant } from '../values/when.tsx';

const MOST = 100;

/** A lesson, or a class. */
type Awaited = { readonly lesson_id: string } | { readonly class_id: string };

/** Who waits for a place, the first in line on top. */
function useWaiting(of: Awaited) {
  const client = useClient();
  const environment = useEnvironment();
  const queryKey = 'class_id' in of ? ['classes', of.class_id] : ['lessons', of.lesson_id];
  return useQuery({
    queryKey: [environment, ...queryKey, 'line'],
    queryFn: async ({ signal }) => {
      const query = { ...of, status: ['waiting', 'offered'], limit: MOST } as const;
      return (await client.waitlist.list(query, { signal })).data.toReversed();
    },
  });
}

interface Known {
  readonly names: ReadonlyMap<string, string>;
  readonly timezone: string;
}

const columnsOf = ({ t }: Language, { names, timezone }: Known): Column<WaitlistEntry>[] => [
  { key: 'member', title: t('bookings.member'), cell: ({ member_id: id }) => names.get(id) ?? t('calendar.someone') },
  {
    key: 'since',
    title: t('lessons.since'),
    cell: ({ created_at: at }) => <Instant at={at} timeZone={timezone} />,
  },
  {
    key: 'state',
    title: t('bookings.state'),
    cell: ({ status, offer }) => (
      <span className="row">
        <Badge tone={status === 'offered' ? 'warning' : 'accent'}>{t(`waitlist.status.${status}`)}</Badge>
        {offer && (
          <span className="hint">
            {t('waitlist.until')} <Instant at={offer.expires_at} timeZone={timezone} />
          </span>
        )}
      </span>
    ),
  },
];

interface WaitingProps {
  readonly of: Awaited;
  /** Says who is offered a place that is free again. */
  readonly lead: string;
}

/** The line for a place in a lesson or class of the school; nothing while nobody waits. */
export function Waiting({ of, lead }: WaitingProps) {
  const language = useLanguage();
  const { t } = language;
  const { timezone } = useMe().account;
  const { data: entries = [] } = useWaiting(of);
  const names = useMemberNames(entries.map(({ member_id: id }) => id));
  if (entries.length === 0) return null;
  return (
    <Section title={t('lessons.line')} lead={lead}>
      <Table
        label={t('lessons.line')}
        rows={entries}
        columns={columnsOf(language, { names, timezone })}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}

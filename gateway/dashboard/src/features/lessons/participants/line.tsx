import type { Lesson, WaitlistEntry } from '@swim/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useEnvironment } from '../../../api/environment.tsx';
import { useMe } from '../../../api/me.ts';
import { useMemberNames } from '../../../api/names.ts';
import { Badge } from '../../../design/badge.tsx';
import { Section } from '../../../design/page.tsx';
import { type Column, Table } from '../../../design/tables/table.tsx';
import { Instant } from '../../../design/values/when.tsx';
import { type Language, useLanguage } from '../../../texts/language.tsx';

const MOST = 100;

/** Who waits for a place in a lesson, the first in line on top. */
function useLine({ id }: Lesson) {
  const client = useClient();
  const environment = useEnvironment();
  return useQuery({
    queryKey: [environment, 'lessons', id, 'line'],
    queryFn: async ({ signal }) => {
      const query = { lesson_id: id, status: 'waiting,offered', limit: MOST };
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

/** The line for a place in a lesson; nothing while nobody waits. */
export function Line({ lesson }: { lesson: Lesson }) {
  const language = useLanguage();
  const { t } = language;
  const { timezone } = useMe().account;
  const { data: entries = [] } = useLine(lesson);
  const names = useMemberNames(entries.map(({ member_id: id }) => id));
  if (entries.length === 0) return null;
  return (
    <Section title={t('lessons.line')} lead={t('lessons.lineLead')}>
      <Table
        label={t('lessons.line')}
        rows={entries}
        columns={columnsOf(language, { names, timezone })}
        rowKey={({ id }) => id}
      />
    </Section>
  );
}

import type { AccessEntry } from '@swim/sdk';
import { useMe } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Empty } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { useAccessLog } from './members.ts';

const columnsOf = ({ t, named }: Language, accountId: string, timeZone: string): Column<AccessEntry>[] => [
  { key: 'at', title: t('members.when'), cell: ({ created_at: at }) => <Instant at={at} timeZone={timeZone} /> },
  { key: 'action', title: t('members.action'), cell: ({ action }) => named('members.action', action) },
  {
    key: 'who',
    title: t('members.who'),
    cell: ({ account_id: id }) => (id === accountId ? t('members.ownAccount') : t('members.otherAccount')),
  },
  {
    key: 'medical',
    title: t('members.medical'),
    cell: ({ medical_notes: isRead }) =>
      isRead ? <Badge tone="warning">{t('members.wasRead')}</Badge> : t('members.notRead'),
  },
  { key: 'network', title: t('members.network'), cell: ({ network }) => <code>{network ?? '–'}</code> },
];

/** The reads of a member: key, time, and whether they included medical notes. */
export function AccessLog({ memberId }: { memberId: string }) {
  const language = useLanguage();
  const { t } = language;
  const { account } = useMe();
  return (
    <PagedTable
      label={t('members.access')}
      pages={useAccessLog(memberId)}
      empty={<Empty title={t('members.noAccess')} />}
      rowKey={({ id }) => id}
      columns={columnsOf(language, account.id, account.timezone)}
    />
  );
}

import type { ListedInstructor } from '@swim/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { useDebounced } from '../../api/debounced.ts';
import { useMe, useScopes } from '../../api/me.ts';
import { useSchoolNames } from '../../api/names.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/fields/fields.tsx';
import { Icon } from '../../design/icon.tsx';
import { Empty, Page } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { money } from '../../design/values/amount.ts';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { useInstructors } from './instructors.ts';
import { NewInstructorDialog } from './new-instructor-dialog.tsx';
import './instructors.css';

const columnsOf = ({ t, tag }: Language, schools: ReadonlyMap<string, string>): Column<ListedInstructor>[] => [
  {
    key: 'name',
    title: t('instructors.name'),
    cell: ({ id, name, account_id: owner }) => (
      <span className="row">
        <Link href={`/instructors/${id}`}>{name}</Link>
        <span className="hint">{schools.get(owner)}</span>
      </span>
    ),
  },
  {
    key: 'rating',
    title: t('instructors.rating'),
    isNumeric: true,
    cell: ({ rating: { average, count } }) =>
      average === null ? '–' : t('instructors.stars', { average: average.toLocaleString(tag), count }),
  },
  {
    key: 'rate',
    title: t('instructors.rate'),
    isNumeric: true,
    cell: ({ hourly_rate_cents: cents, currency }) => money(cents, currency, tag),
  },
  {
    key: 'status',
    title: t('instructors.state'),
    cell: ({ status }) => (
      <Badge tone={status === 'active' ? 'success' : 'neutral'}>{t(`instructors.status.${status}`)}</Badge>
    ),
  },
];

/** The instructors whom lessons can be booked with; a school adds its own. */
export default function InstructorsPage() {
  const language = useLanguage();
  const { t } = language;
  const { account } = useMe();
  const mayAdd = useScopes()('instructors:write') && account.kind === 'school';
  const [search, setSearch] = useState('');
  const [isAdding, setAdding] = useState(false);
  const pages = useInstructors(useDebounced(search));
  // A school sees its own instructors.
  const schools = useSchoolNames(account.kind === 'family' ? (pages.rows?.map(({ account_id: id }) => id) ?? []) : []);
  const add = mayAdd && (
    <Button kind="primary" onPress={() => setAdding(true)}>
      <Icon name="plus" /> {t('instructors.add')}
    </Button>
  );
  return (
    <Page title={t('instructors.title')} lead={t(`instructors.lead.${account.kind}`)} actions={add}>
      <search className="instructor-search">
        <TextField label={t('instructors.search')} type="search" value={search} onChange={setSearch} />
      </search>
      <PagedTable
        label={t('instructors.title')}
        pages={pages}
        empty={
          <Empty title={search ? t('instructors.noneFound') : t('instructors.emptyTitle')} action={!search && add}>
            {!search && t('instructors.empty')}
          </Empty>
        }
        rowKey={({ id }) => id}
        columns={columnsOf(language, schools)}
      />
      {isAdding && <NewInstructorDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

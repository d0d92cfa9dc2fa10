import type { Member, Query } from '@swim/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { useDebounced } from '../../api/debounced.ts';
import { LEVELS } from '../../api/levels.ts';
import { useMe, useScopes } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { Icon } from '../../design/icon.tsx';
import { Empty, Page } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { Day } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { MemberDialog } from './member-dialog.tsx';
import { useMembers } from './members.ts';
import './members.css';

const columnsOf = ({ t }: Language): Column<Member>[] => [
  {
    key: 'name',
    title: t('members.name'),
    cell: ({ id, name }) => <Link href={`/members/${id}`}>{name}</Link>,
  },
  {
    key: 'level',
    title: t('members.level'),
    cell: ({ swimming_level: level }) => <Badge tone="accent">{t(`level.${level}`)}</Badge>,
  },
  { key: 'born', title: t('members.born'), cell: ({ date_of_birth: date }) => <Day date={date} /> },
];

interface Filter {
  readonly search: string;
  readonly level: string;
}

function Filters({ value, onChange }: { value: Filter; onChange: (value: Filter) => void }) {
  const { t } = useLanguage();
  const levels = LEVELS.map((level) => ({ value: level as string, label: t(`level.${level}`) }));
  return (
    <search className="columns member-filters">
      <TextField
        label={t('members.search')}
        type="search"
        value={value.search}
        onChange={(search) => onChange({ ...value, search })}
      />
      <Choice
        label={t('members.level')}
        value={value.level}
        onChange={(level) => onChange({ ...value, level })}
        options={[{ value: '', label: t('members.allLevels') }, ...levels]}
      />
    </search>
  );
}

/** The members of a family, or the pupils of a school. */
export default function MembersPage() {
  const language = useLanguage();
  const { t } = language;
  const { kind } = useMe().account;
  const canWrite = useScopes()('members:write');
  const [filters, setFilters] = useState<Filter>({ search: '', level: '' });
  const [isAdding, setAdding] = useState(false);
  const { search, level } = useDebounced(filters);
  const query = { ...(search ? { search } : {}), ...(level ? { swimming_level: level } : {}) } as Query<'listMembers'>;
  const pages = useMembers(query);
  const isFiltered = Object.keys(query).length > 0;
  const add = canWrite && (
    <Button kind="primary" onPress={() => setAdding(true)}>
      <Icon name="plus" /> {t(`members.add.${kind}`)}
    </Button>
  );
  const empty = isFiltered ? (
    <Empty title={t('members.noneFound')} />
  ) : (
    <Empty title={t('members.emptyTitle')} action={add}>
      {t(`members.empty.${kind}`)}
    </Empty>
  );
  return (
    <Page title={t(`members.title.${kind}`)} lead={t(`members.lead.${kind}`)} actions={add}>
      <Filters value={filters} onChange={setFilters} />
      <PagedTable
        label={t(`members.title.${kind}`)}
        pages={pages}
        empty={empty}
        rowKey={({ id }) => id}
        columns={columnsOf(language)}
      />
      {isAdding && <MemberDialog member={null} onClose={() => setAdding(false)} />}
    </Page>
  );
}

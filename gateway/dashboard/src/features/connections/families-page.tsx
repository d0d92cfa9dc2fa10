import type { Connection, Family } from '@swim/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { useDebounced } from '../../api/debounced.ts';
import { useScopes } from '../../api/me.ts';
import { useMemberNames } from '../../api/names.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { Icon } from '../../design/icon.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Page } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useFamilies, useFindConnection } from './connections.ts';
import { ConnectionList } from './connections-page.tsx';
import { Due } from './due.tsx';
import { EndDialog } from './end-dialog.tsx';
import { Invite } from './invite.tsx';

function Name({ of: { account_id: id, name, email, claimed } }: { of: Family }) {
  const { t } = useLanguage();
  return (
    <span className="stack-tight">
      <span className="row">
        <Link href={`/families/${id}`}>{name ?? t('families.erased')}</Link>
        {!claimed && <Badge>{t('families.unclaimed')}</Badge>}
      </span>
      {email && <a href={`mailto:${email}`}>{email}</a>}
    </span>
  );
}

function Members({ of: { member_ids: ids }, names }: { of: Family; names: ReadonlyMap<string, string> }) {
  const known = ids.filter((id) => names.has(id));
  if (known.length === 0) return null;
  return (
    <span className="row">
      {known.map((id) => (
        <Link key={id} href={`/members/${id}`}>
          {names.get(id)}
        </Link>
      ))}
    </span>
  );
}

function useColumns(families: readonly Family[], onEnd: (family: Family) => void): Column<Family>[] {
  const { t } = useLanguage();
  const canWrite = useScopes()('members:write');
  const names = useMemberNames(families.flatMap(({ member_ids: ids }) => ids));
  const actionsOf = (family: Family) =>
    canWrite &&
    family.member_ids.length > 0 && (
      <span className="row">
        {!family.claimed && <Invite family={family} />}
        <Button small aria-label={t('connections.endNamed', { name: family.name ?? '' })} onPress={() => onEnd(family)}>
          {t('classes.endAction')}
        </Button>
      </span>
    );
  return [
    { key: 'name', title: t('families.family'), cell: (each) => <Name of={each} /> },
    { key: 'members', title: t('bookings.members'), cell: (each) => <Members of={each} names={names} /> },
    { key: 'due', title: t('bookings.due'), isNumeric: true, cell: (each) => <Due of={each} /> },
    { key: 'actions', title: t('lessons.actions'), hideTitle: true, cell: actionsOf },
  ];
}

function FamilyList({ search, due }: { search: string; due: boolean }) {
  const { t } = useLanguage();
  const pages = useFamilies({ ...(search ? { search } : {}), ...(due ? { due } : {}) });
  const find = useFindConnection();
  const [ending, setEnding] = useState<{ family: Family; connection: Connection } | null>(null);
  const columns = useColumns(pages.rows ?? [], (family) =>
    find.mutate(family.account_id, {
      onSuccess: (connection) => setEnding(connection ? { family, connection } : null),
    }),
  );
  return (
    <>
      <ErrorNotice error={find.error} />
      <PagedTable
        label={t('connections.title.school')}
        pages={pages}
        empty={<Empty title={t('connections.emptyTitle.school')}>{t('connections.empty.school')}</Empty>}
        rowKey={({ account_id: id }) => id}
        columns={columns}
      />
      {ending && (
        <EndDialog
          connection={ending.connection}
          name={ending.family.name ?? ''}
          isUnclaimed={!ending.family.claimed}
          onClose={() => setEnding(null)}
        />
      )}
    </>
  );
}

function Actions() {
  const { t } = useLanguage();
  if (!useScopes()('members:write')) return null;
  return (
    <>
      <Link href="/families/imports" className="button button-secondary">
        {t('imports.title')}
      </Link>
      <Link href="/families/new" className="button button-primary">
        <Icon name="plus" /> {t('families.new')}
      </Link>
    </>
  );
}

const VIEWS = ['all', 'due', 'ended'] as const;

/** The families of a school: who they are, what they owe, and those whose connection has ended. */
export default function FamiliesPage() {
  const { t } = useLanguage();
  const canReadDues = useScopes()('payments:read');
  const [view, setView] = useState<(typeof VIEWS)[number]>('all');
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed);
  const views = VIEWS.filter((each) => each !== 'due' || canReadDues);
  return (
    <Page title={t('connections.title.school')} lead={t('connections.lead.school')} actions={<Actions />}>
      <search className="filters">
        {view !== 'ended' && <TextField label={t('families.search')} type="search" value={typed} onChange={setTyped} />}
        <Choice
          label={t('bookings.state')}
          value={view}
          onChange={setView}
          options={views.map((value) => ({ value, label: t(`families.view.${value}`) }))}
        />
      </search>
      {view === 'ended' ? <ConnectionList status="ended" /> : <FamilyList search={search} due={view === 'due'} />}
    </Page>
  );
}

import type { SwimClass } from '@swim/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { useDebounced } from '../../../api/debounced.ts';
import { useMe, useScopes } from '../../../api/me.ts';
import { TextField } from '../../../design/fields/fields.tsx';
import { Icon } from '../../../design/icon.tsx';
import { useForWhom } from '../../../design/lessons/for-whom.ts';
import { Places } from '../../../design/lessons/places.tsx';
import { Empty, Page } from '../../../design/page.tsx';
import { PagedTable } from '../../../design/tables/paged-table.tsx';
import type { Column } from '../../../design/tables/table.tsx';
import { useLanguage } from '../../../texts/language.tsx';
import { useClassColumns } from '../class-columns.tsx';
import { ClassBadge } from '../class-texts.tsx';
import { useClasses, useLiveClasses } from '../classes.ts';

function useColumns(classes: readonly SwimClass[]): Column<SwimClass>[] {
  const { t } = useLanguage();
  const { when, who, next } = useClassColumns(classes);
  const forWhom = useForWhom();
  return [
    {
      key: 'name',
      title: t('classes.class'),
      cell: ({ id, name, status }) => (
        <span className="row">
          <Link href={`/classes/${id}`}>{name}</Link>
          {status !== 'open' && <ClassBadge status={status} />}
        </span>
      ),
    },
    when,
    who,
    { key: 'for', title: t('lessons.forWhom'), cell: forWhom },
    {
      key: 'places',
      title: t('classes.places'),
      cell: ({ places_left: left, capacity }) => left !== null && <Places left={left} capacity={capacity} />,
    },
    next,
  ];
}

/** The classes of a school, with how full they are. */
export function SchoolClasses() {
  const { t } = useLanguage();
  const { account } = useMe();
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed);
  const pages = useClasses({ account_id: account.id, ...(search ? { search } : {}) });
  useLiveClasses();
  const columns = useColumns(pages.rows ?? []);
  const add = useScopes()('sessions:write') && (
    <Link href="/classes/new" className="button button-primary">
      <Icon name="plus" /> {t('classes.new')}
    </Link>
  );
  const empty = search ? (
    <Empty title={t('field.noneFound')} />
  ) : (
    <Empty title={t('classes.emptyTitle')} action={add}>
      {t('classes.empty')}
    </Empty>
  );
  return (
    <Page title={t('classes.title')} lead={t('classes.lead.school')} actions={add}>
      <search className="filters">
        <TextField label={t('members.search')} type="search" value={typed} onChange={setTyped} />
      </search>
      <PagedTable label={t('classes.title')} pages={pages} empty={empty} rowKey={({ id }) => id} columns={columns} />
    </Page>
  );
}

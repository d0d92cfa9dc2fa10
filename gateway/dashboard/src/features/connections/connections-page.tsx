import type { Connection } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useMe, useScopes } from '../../api/me.ts';
import { useMemberNames, useSchoolNames } from '../../api/names.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Checkbox } from '../../design/fields/fields.tsx';
import { useForm } from '../../design/fields/form.ts';
import { useChildren } from '../../design/lessons/open-lessons.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Empty, Page, Shown } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { DayAt } from '../../design/values/when.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { useConnectionActions, useConnections, useNamesOfOwing } from './connections.ts';
import { type DialogProps, EndDialog } from './end-dialog.tsx';

/** Which children of the family the school may read and book. */
function ChildrenDialog({ connection, onClose }: DialogProps) {
  const { t } = useLanguage();
  const children = useChildren();
  const { change } = useConnectionActions(connection);
  const { values, set, submit } = useForm({ ids: connection.member_ids }, ({ ids }) =>
    change.mutate([...ids], { onSuccess: onClose }),
  );
  const isLess = connection.member_ids.some((id) => !values.ids.includes(id));
  const choose = (id: string, isOn: boolean) =>
    set({ ids: [...values.ids.filter((each) => each !== id), ...(isOn ? [id] : [])] });
  return (
    <Dialog title={t('connections.childrenTitle')} isOpen onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Shown query={children}>
          {(all) => (
            <div className="stack-tight">
              {all.map(({ id, name }) => (
                <Checkbox key={id} isSelected={values.ids.includes(id)} onChange={(isOn) => choose(id, isOn)}>
                  {name}
                </Checkbox>
              ))}
            </div>
          )}
        </Shown>
        {isLess && <Notice kind="warning">{t('connections.childrenText')}</Notice>}
        <ErrorNotice error={change.error} />
        <DialogActions onCancel={onClose}>
          <Button kind="primary" type="submit" isPending={change.isPending} isDisabled={values.ids.length === 0}>
            {t('action.save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

type Opened = { readonly dialog: 'end' | 'children'; readonly connection: Connection } | null;

interface ActionsProps {
  readonly connection: Connection;
  readonly who: string;
  readonly onOpen: (opened: Opened) => void;
}

function Actions({ connection, who, onOpen }: ActionsProps) {
  const { t } = useLanguage();
  const { kind } = useMe().account;
  const { reopen } = useConnectionActions(connection);
  const { status, ended_by: endedBy } = connection;
  if (status === 'ended')
    return (
      kind === 'school' &&
      endedBy === 'school' && (
        <>
          <Button
            small
            aria-label={t('connections.reopenNamed', { name: who })}
            isPending={reopen.isPending}
            onPress={() => reopen.mutate()}
          >
            {t('connections.reopen')}
          </Button>
          <ErrorNotice error={reopen.error} />
        </>
      )
    );
  return (
    <span className="row">
      {kind === 'family' && (
        <Button
          small
          aria-label={t('connections.childrenNamed', { name: who })}
          onPress={() => onOpen({ dialog: 'children', connection })}
        >
          {t('connections.children')}
        </Button>
      )}
      <Button
        small
        aria-label={t('connections.endNamed', { name: who })}
        onPress={() => onOpen({ dialog: 'end', connection })}
      >
        {t('classes.endAction')}
      </Button>
    </span>
  );
}

interface Known {
  readonly names: ReadonlyMap<string, string>;
  readonly families: ReadonlyMap<string, string>;
  readonly schools: ReadonlyMap<string, string>;
  readonly actionsOf: (connection: Connection) => ReactNode;
}

function FamilyName({ id, name }: { id: string; name: string | undefined }) {
  return (
    <span className="stack-tight">
      {name && <strong>{name}</strong>}
      <code>{id}</code>
    </span>
  );
}

function Members({ ids, names }: Pick<Known, 'names'> & { ids: readonly string[] }) {
  const { t } = useLanguage();
  return (
    <span className="row">
      {ids.map((id) =>
        names.has(id) ? (
          <Link key={id} href={`/members/${id}`}>
            {names.get(id)}
          </Link>
        ) : (
          <span key={id}>{t('bookings.someone')}</span>
        ),
      )}
    </span>
  );
}

function useColumns({ names, families, schools, actionsOf }: Known): Column<Connection>[] {
  const { t } = useLanguage();
  const { kind } = useMe().account;
  const stateOf = ({ status, ended_by: by }: Connection) =>
    status === 'active' ? (
      <Badge tone="success">{t('connections.active')}</Badge>
    ) : (
      <Badge>{t(`connections.endedBy.${by ?? 'time'}`)}</Badge>
    );
  return [
    {
      key: 'with',
      title: t(kind === 'family' ? 'connections.school' : 'families.family'),
      cell: ({ school_id: school, account_id: id }) =>
        kind === 'family' ? (schools.get(school) ?? '–') : <FamilyName id={id} name={families.get(id)} />,
    },
    {
      key: 'members',
      title: t(kind === 'family' ? 'nav.children' : 'bookings.members'),
      cell: ({ member_ids: ids }) => <Members ids={ids} names={names} />,
    },
    { key: 'since', title: t('lessons.since'), cell: ({ created_at: at }) => <DayAt at={at} /> },
    { key: 'origin', title: t('connections.origin'), cell: ({ origin }) => t(`connections.origin.${origin}`) },
    ...(kind === 'school'
      ? [{ key: 'external', title: t('connections.externalId'), cell: ({ external_id: id }: Connection) => id }]
      : []),
    { key: 'state', title: t('bookings.state'), cell: stateOf },
    { key: 'actions', title: t('lessons.actions'), hideTitle: true, cell: actionsOf },
  ];
}

/** The connections of the account: who may read and book whom. */
export function ConnectionList({ status }: { status: 'active' | 'ended' | '' }) {
  const { t } = useLanguage();
  const { kind } = useMe().account;
  const canWrite = useScopes()('members:write');
  const pages = useConnections(status);
  const names = useMemberNames(pages.rows?.flatMap(({ member_ids: ids }) => ids) ?? []);
  const families = useNamesOfOwing();
  const schools = useSchoolNames(kind === 'family' ? (pages.rows?.map(({ school_id: id }) => id) ?? []) : []);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const whoOf = ({ school_id: school, account_id: id }: Connection) =>
    kind === 'family' ? (schools.get(school) ?? school) : (families.get(id) ?? id);
  const actionsOf = (connection: Connection) =>
    canWrite && <Actions connection={connection} who={whoOf(connection)} onOpen={setOpened} />;
  const columns = useColumns({ names, families, schools, actionsOf });
  const empty = (
    <Empty title={t(`connections.emptyTitle.${kind}`)}>{status !== 'ended' && t(`connections.empty.${kind}`)}</Empty>
  );
  return (
    <>
      <PagedTable
        label={t(`connections.title.${kind}`)}
        pages={pages}
        empty={empty}
        rowKey={({ id }) => id}
        columns={columns}
      />
      {opened?.dialog === 'end' && (
        <EndDialog connection={opened.connection} name={whoOf(opened.connection)} onClose={close} />
      )}
      {opened?.dialog === 'children' && <ChildrenDialog connection={opened.connection} onClose={close} />}
    </>
  );
}

/** The schools of a family, those included whose connection has ended. */
export default function SchoolsPage() {
  const { t } = useLanguage();
  return (
    <Page title={t('connections.title.family')} lead={t('connections.lead.family')}>
      <ConnectionList status="" />
    </Page>
  );
}

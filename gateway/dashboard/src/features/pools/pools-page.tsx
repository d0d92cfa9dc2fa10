import type { Pool } from '@swim/sdk';
import { useState } from 'react';
import { Link } from 'wouter';
import { useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Icon } from '../../design/icon.tsx';
import { Empty, Page } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { PoolDialog } from './pool-dialog.tsx';
import { usePools } from './pools.ts';
import { RemoveDialog } from './remove-dialog.tsx';

type Opened =
  | { readonly dialog: 'edit'; readonly pool: Pool | null }
  | { readonly dialog: 'remove'; readonly pool: Pool };

interface Shown {
  readonly mayEdit: boolean;
  readonly mayClose: boolean;
  readonly onOpen: (opened: Opened) => void;
}

const columnsOf = ({ t }: Language, { mayEdit, mayClose, onOpen }: Shown): Column<Pool>[] => [
  { key: 'name', title: t('pools.name'), cell: ({ name }) => name },
  { key: 'address', title: t('pools.address'), cell: ({ address }) => address },
  {
    key: 'lanes',
    title: t('pools.lanes'),
    isNumeric: true,
    cell: ({ lanes }) => lanes ?? t('pools.unlimited'),
  },
  { key: 'zone', title: t('pools.zone'), cell: ({ timezone }) => timezone },
  {
    key: 'edit',
    title: t('pools.edit'),
    hideTitle: true,
    cell: (pool) =>
      mayEdit && (
        <span className="row">
          {mayClose && (
            <Link
              href={`/closures/new?what=${pool.id}`}
              className="button button-secondary button-small"
              aria-label={t('closures.closeNamed', { name: pool.name })}
            >
              {t('closures.closePool')}
            </Link>
          )}
          <Button
            small
            onPress={() => onOpen({ dialog: 'edit', pool })}
            aria-label={t('pools.editNamed', { name: pool.name })}
          >
            {t('pools.change')}
          </Button>
          <Button
            small
            onPress={() => onOpen({ dialog: 'remove', pool })}
            aria-label={t('pools.removeNamed', { name: pool.name })}
          >
            {t('action.remove')}
          </Button>
        </span>
      ),
  },
];

/** The pools in which lessons are given: a school adds its own, and says how many lanes they have. */
export default function PoolsPage() {
  const language = useLanguage();
  const { t } = language;
  const can = useScopes();
  const mayEdit = can('instructors:write');
  const [opened, setOpened] = useState<Opened | null>(null);
  const pages = usePools();
  const add = mayEdit && (
    <Button kind="primary" onPress={() => setOpened({ dialog: 'edit', pool: null })}>
      <Icon name="plus" /> {t('pools.add')}
    </Button>
  );
  const close = () => setOpened(null);
  return (
    <Page title={t('pools.title')} lead={t('pools.lead')} actions={add}>
      <PagedTable
        label={t('pools.title')}
        pages={pages}
        empty={
          <Empty title={t('pools.emptyTitle')} action={add}>
            {t('pools.empty')}
          </Empty>
        }
        rowKey={({ id }) => id}
        columns={columnsOf(language, {
          mayEdit,
          mayClose: can('sessions:write'),
          onOpen: setOpened,
        })}
      />
      {opened?.dialog === 'edit' && <PoolDialog pool={opened.pool} onClose={close} />}
      {opened?.dialog === 'remove' && <RemoveDialog pool={opened.pool} onClose={close} />}
    </Page>
  );
}

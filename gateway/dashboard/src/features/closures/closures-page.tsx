import type { Closure } from '@swim/sdk';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useMe, useScopes } from '../../api/me.ts';
import { useInstructorChoice, usePoolChoice } from '../../api/names.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Dialog, DialogActions } from '../../design/dialog.tsx';
import { Icon } from '../../design/icon.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Page } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { Instant } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { useClosures, useRemoveClosure } from './closures.ts';

/** The names and time zones of what can be closed, by their ids. */
function useResources(): ReadonlyMap<string, { readonly name: string; readonly timezone: string }> {
  const { data: instructors = [] } = useInstructorChoice();
  const { data: pools = [] } = usePoolChoice();
  return new Map([...instructors, ...pools].map((each) => [each.id, each]));
}

interface Known {
  readonly resources: ReturnType<typeof useResources>;
  readonly timezone: string;
  readonly removeOf: (closure: Closure) => ReactNode;
}

const idsOf = ({ pool_ids: pools, instructor_ids: instructors }: Closure) => [...pools, ...instructors];

function State({ closure: { status, cancelled, sessions } }: { closure: Closure }) {
  const { t } = useLanguage();
  const isRunning = status === 'running';
  return (
    <span className="stack-tight" aria-live="polite">
      <span>
        <Badge tone={isRunning ? 'warning' : 'neutral'}>{t(`closures.status.${status}`)}</Badge>
      </span>
      {isRunning && <progress aria-label={t('closures.cancelled')} value={cancelled} max={Math.max(sessions, 1)} />}
      {(isRunning || cancelled > 0) && <span className="hint">{t('closures.progress', { cancelled, sessions })}</span>}
    </span>
  );
}

const columnsOf = ({ t }: Language, { resources, timezone, removeOf }: Known): Column<Closure>[] => {
  const zoneOf = (closure: Closure) => resources.get(idsOf(closure)[0]!)?.timezone ?? timezone;
  return [
    {
      key: 'what',
      title: t('closures.what'),
      cell: (closure) =>
        idsOf(closure)
          .map((id) => resources.get(id)?.name ?? '–')
          .join(', '),
    },
    {
      key: 'from',
      title: t('closures.from'),
      cell: (closure) => <Instant at={closure.from} timeZone={zoneOf(closure)} />,
    },
    { key: 'to', title: t('closures.to'), cell: (closure) => <Instant at={closure.to} timeZone={zoneOf(closure)} /> },
    { key: 'reason', title: t('closures.reason'), cell: ({ reason }) => reason },
    { key: 'state', title: t('bookings.state'), cell: (closure) => <State closure={closure} /> },
    { key: 'remove', title: t('closures.remove'), hideTitle: true, cell: removeOf },
  ];
};

function RemoveDialog({ closure, onClose }: { closure: Closure; onClose: () => void }) {
  const { t } = useLanguage();
  const remove = useRemoveClosure();
  return (
    <Dialog title={t('closures.removeTitle')} isOpen onClose={onClose}>
      <p>{t('closures.removeText')}</p>
      <ErrorNotice error={remove.error} />
      <DialogActions onCancel={onClose}>
        <Button
          kind="primary"
          isPending={remove.isPending}
          onPress={() => remove.mutate(closure.id, { onSuccess: onClose })}
        >
          {t('closures.remove')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The times in which the school gives no lessons. */
export default function ClosuresPage() {
  const language = useLanguage();
  const { t } = language;
  const { timezone } = useMe().account;
  const canWrite = useScopes()('sessions:write');
  const [removed, setRemoved] = useState<Closure | null>(null);
  const pages = useClosures();
  const resources = useResources();
  const add = canWrite && (
    <Link href="/closures/new" className="button button-primary">
      <Icon name="plus" /> {t('closures.new')}
    </Link>
  );
  const removeOf = (closure: Closure) =>
    canWrite &&
    closure.status === 'done' && (
      <Button small onPress={() => setRemoved(closure)}>
        {t('closures.remove')}
      </Button>
    );
  return (
    <Page title={t('nav.closures')} lead={t('closures.lead')} actions={add}>
      <PagedTable
        label={t('nav.closures')}
        pages={pages}
        empty={
          <Empty title={t('closures.emptyTitle')} action={add}>
            {t('closures.empty')}
          </Empty>
        }
        rowKey={({ id }) => id}
        columns={columnsOf(language, { resources, timezone, removeOf })}
      />
      {removed && <RemoveDialog closure={removed} onClose={() => setRemoved(null)} />}
    </Page>
  );
}

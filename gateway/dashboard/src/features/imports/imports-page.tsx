import type { DataImport } from '@swim/sdk';
import { Link, useLocation } from 'wouter';
import { useScopes } from '../../api/me.ts';
import { Badge } from '../../design/badge.tsx';
import { ErrorNotice } from '../../design/notice.tsx';
import { Empty, Page, Section } from '../../design/page.tsx';
import { PagedTable } from '../../design/tables/paged-table.tsx';
import type { Column } from '../../design/tables/table.tsx';
import { Ago } from '../../design/values/when.tsx';
import { type Language, useLanguage } from '../../texts/language.tsx';
import { keep, type Memo, remember } from './file/prepared.ts';
import { rowOf } from './file/rows.ts';
import { type ChosenFile, useFile } from './file/use-file.ts';
import { FileField } from './file-field.tsx';
import { useBegin, useImports } from './imports.ts';
import { ReadingForm, useReading } from './reading-form.tsx';

/** Begins an import with the rows of a file. */
function useStart({ table, digest }: Pick<ChosenFile, 'table' | 'digest'>) {
  const begin = useBegin();
  const readingOf = useReading();
  const [, navigate] = useLocation();
  const start = (settings: Memo['reading']) =>
    begin.mutate(undefined, {
      onSuccess: ({ id }) => {
        const { lines } = table!;
        keep(id, {
          rows: lines.map((line) => rowOf(line, readingOf(settings))),
          lines: lines.map(({ number }) => number),
        });
        remember(id, { total: lines.length, digest, reading: settings });
        navigate(`/families/imports/${id}`);
      },
    });
  return { begin, start };
}

function NewImport() {
  const file = useFile();
  const { table = null, digest = '' } = file.data ?? {};
  const { begin, start } = useStart({ table, digest });
  return (
    <div className="card stack">
      <FileField chosen={file.data} onChoose={(chosen) => file.mutate(chosen)} />
      <ErrorNotice error={file.error ?? begin.error} />
      {table && <ReadingForm key={digest} table={table} isPending={begin.isPending} onCheck={start} />}
    </div>
  );
}

const COUNTS = ['rows', 'created', 'updated', 'unchanged', 'failed'] as const;

const columnsOf = ({ t, tag }: Language): Column<DataImport>[] => [
  {
    key: 'when',
    title: t('imports.when'),
    cell: ({ id, created_at: at }) => (
      <Link href={`/families/imports/${id}`}>
        <Ago at={at} />
      </Link>
    ),
  },
  {
    key: 'state',
    title: t('bookings.state'),
    cell: ({ status }) => (
      <Badge tone={status === 'done' ? 'success' : 'accent'}>{t(`imports.status.${status}`)}</Badge>
    ),
  },
  ...COUNTS.map((name) => ({
    key: name,
    title: t(`imports.${name}`),
    isNumeric: true,
    cell: (each: DataImport) => each[name].toLocaleString(tag),
  })),
];

/** Imports of families: a new one, and the earlier ones. */
export default function ImportsPage() {
  const language = useLanguage();
  const { t } = language;
  const canWrite = useScopes()('members:write');
  const pages = useImports();
  return (
    <Page title={t('imports.title')} lead={<Link href="/families">{t('connections.title.school')}</Link>}>
      {canWrite ? <NewImport /> : <p className="hint">{t('role.needed')}</p>}
      <Section title={t('imports.earlier')}>
        <PagedTable
          label={t('imports.earlier')}
          pages={pages}
          empty={<Empty title={t('imports.none')} />}
          rowKey={({ id }) => id}
          columns={columnsOf(language)}
        />
      </Section>
    </Page>
  );
}

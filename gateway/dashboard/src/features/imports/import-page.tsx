import type { DataImport } from '@swim/sdk';
import { useEffect, useEffectEvent, useState } from 'react';
import { Link, useParams } from 'wouter';
import { useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { useRefresh } from '../../design/lessons/open-lessons.ts';
import { ErrorNotice, Notice } from '../../design/notice.tsx';
import { Loading, Page, Shown } from '../../design/page.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { forget, keep, memoOf, type Prepared, preparedFor } from './file/prepared.ts';
import { rowOf } from './file/rows.ts';
import { useFile } from './file/use-file.ts';
import { FileField } from './file-field.tsx';
import { useCheck, useImport, useRun, useUpload } from './imports.ts';
import { Outcome } from './outcome.tsx';
import { useReading } from './reading-form.tsx';

function Progress({ label, done, total }: { label: string; done: number; total: number }) {
  const { tag } = useLanguage();
  return (
    <div className="card stack-tight" role="status">
      <span>
        {label} {done.toLocaleString(tag)} / {total.toLocaleString(tag)}
      </span>
      <progress aria-label={label} value={done} max={total} />
    </div>
  );
}

interface AgainProps {
  readonly of: DataImport;
  readonly total: number;
  readonly onRead: (prepared: Prepared) => void;
}

/** The choice of the file once more, after a reload in the middle of its upload. */
function ChooseAgain({ of, total, onRead }: AgainProps) {
  const { t, tag } = useLanguage();
  const readingOf = useReading();
  const memo = memoOf(of.id);
  const file = useFile();
  const isOther = file.data?.table && file.data.digest !== memo?.digest;
  const choose = (chosen: File) =>
    file.mutate(chosen, {
      onSuccess: ({ table, digest }) => {
        if (!table || !memo || digest !== memo.digest) return;
        const rows = table.lines.map((line) => rowOf(line, readingOf(memo.reading)));
        onRead({ rows, lines: table.lines.map(({ number }) => number) });
      },
    });
  return (
    <div className="card stack">
      <Notice kind="warning">
        {t('imports.again', { done: of.rows.toLocaleString(tag), total: total.toLocaleString(tag) })}
      </Notice>
      <FileField chosen={file.data} onChoose={choose} />
      {isOther && <Notice kind="danger">{t('imports.otherFile')}</Notice>}
      <ErrorNotice error={file.error} />
    </div>
  );
}

function Upload({ of, prepared: { rows } }: { of: DataImport; prepared: Prepared }) {
  const { t } = useLanguage();
  const upload = useUpload(of);
  const begin = useEffectEvent(() => upload.mutate(rows));
  useEffect(() => begin(), []);
  return (
    <>
      <Progress label={t('imports.uploading')} done={of.rows} total={rows.length} />
      {Boolean(upload.error) && (
        <>
          <ErrorNotice error={upload.error} />
          <div>
            <Button onPress={() => upload.mutate(rows)}>{t('imports.goOn')}</Button>
          </div>
        </>
      )}
    </>
  );
}

/** What a dry run says, and the button that imports. */
function Check({ of }: { of: DataImport }) {
  const { t, tag } = useLanguage();
  const check = useCheck(of, of.rows > 0);
  const run = useRun(of);
  const canWrite = useScopes()('members:write');
  const left = of.rows - (check.data?.failed ?? 0);
  return (
    <>
      {check.isLoading && (
        <div className="card">
          <p className="hint">{t('imports.checking')}</p>
          <Loading />
        </div>
      )}
      {Boolean(check.error) && (
        <>
          <ErrorNotice error={check.error} />
          <Notice kind="warning">{t('imports.uncheckedText')}</Notice>
        </>
      )}
      {check.data && (
        <>
          <Notice>{t('imports.checked')}</Notice>
          <Outcome of={check.data} />
        </>
      )}
      <ErrorNotice error={run.error} />
      {canWrite && !check.isLoading && (
        <div className="row">
          <Button kind="primary" isPending={run.isPending} isDisabled={left === 0} onPress={() => run.mutate()}>
            {t('imports.run', { count: left.toLocaleString(tag) })}
          </Button>
          <Link href="/families/imports">{t('imports.otherChoice')}</Link>
        </div>
      )}
    </>
  );
}

function Open({ of }: { of: DataImport }) {
  const [prepared, setPrepared] = useState(() => preparedFor(of.id));
  const total = memoOf(of.id)?.total ?? prepared?.rows.length ?? of.rows;
  const read = (rows: Prepared) => {
    keep(of.id, rows);
    setPrepared(rows);
  };
  if (of.rows >= total) return <Check of={of} />;
  return prepared ? <Upload of={of} prepared={prepared} /> : <ChooseAgain of={of} total={total} onRead={read} />;
}

function Done({ of }: { of: DataImport }) {
  const { t } = useLanguage();
  const refresh = useRefresh();
  const end = useEffectEvent(() => void refresh());
  useEffect(() => {
    end();
    // The names stay as long as the page shows them.
    return () => forget(of.id);
  }, [of.id]);
  return (
    <>
      <Notice kind="success">
        <span className="row">
          {t('imports.done')}
          <Link href="/families">{t('imports.toFamilies')}</Link>
        </span>
      </Notice>
      <Outcome of={of} />
    </>
  );
}

/** One import: its upload, what a dry run says of it, its run and its outcome. It goes on where it is after a reload. */
export default function ImportPage() {
  const { t } = useLanguage();
  const { importId } = useParams<{ importId: string }>();
  const query = useImport(importId);
  return (
    <Page title={t('imports.import')} lead={<Link href="/families/imports">{t('imports.title')}</Link>}>
      <Shown query={query}>
        {(of) => (
          <>
            {of.status === 'open' && <Open of={of} />}
            {of.status === 'running' && (
              <Progress
                label={t('imports.running')}
                done={of.created + of.updated + of.unchanged + of.failed}
                total={of.rows}
              />
            )}
            {of.status === 'done' && <Done of={of} />}
          </>
        )}
      </Shown>
    </Page>
  );
}

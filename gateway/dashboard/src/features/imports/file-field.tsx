import { Notice } from '../../design/notice.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { MOST_ROWS } from './file/csv.ts';
import type { ChosenFile } from './file/use-file.ts';

interface FileFieldProps {
  readonly chosen: ChosenFile | undefined;
  readonly onChoose: (file: File) => void;
}

/** A choice of a CSV file, and what is wrong with the chosen one. */
export function FileField({ chosen, onChoose }: FileFieldProps) {
  const { t, tag } = useLanguage();
  return (
    <>
      <label className="field">
        <span className="label">{t('imports.file')}</span>
        <input
          className="input"
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          onChange={({ target: { files } }) => files?.[0] && onChoose(files[0])}
        />
        <span className="hint">{t('imports.fileHint')}</span>
      </label>
      {chosen?.problem && (
        <Notice kind="danger">{t(`imports.problem.${chosen.problem}`, { most: MOST_ROWS.toLocaleString(tag) })}</Notice>
      )}
    </>
  );
}

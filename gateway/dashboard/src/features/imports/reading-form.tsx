import { type ReactNode, useMemo, useState } from 'react';
import { useScopes } from '../../api/me.ts';
import { Button } from '../../design/button.tsx';
import { Choice, TextField } from '../../design/fields/fields.tsx';
import { Notice } from '../../design/notice.tsx';
import { Table } from '../../design/tables/table.tsx';
import { useLanguage } from '../../texts/language.tsx';
import { type Columns, columnsOf, FIELDS, type Field, missingOf, programOf, withChoice } from './file/columns.ts';
import type { CsvTable } from './file/csv.ts';
import { isAmbiguous, orderOf, type Reading, unknownLevels } from './file/rows.ts';

type Settings = Pick<Reading, 'columns' | 'order' | 'countryCode'>;

/** How a file is read that nobody has said anything about. */
function settingsOf({ titles, lines }: CsvTable, mayWriteNotes: boolean): Settings {
  const { notes, ...others } = columnsOf(titles);
  const columns = mayWriteNotes && notes !== undefined ? { ...others, notes } : others;
  const dates = lines.map(({ cells }) => cells[columns.born ?? -1] ?? '');
  // Both programs are of the United States.
  const order = orderOf(dates) ?? (programOf(titles) ? 'month' : 'day');
  return { columns, order, countryCode: '' };
}

/** How the cells of a file are read, in the language of the user. */
export function useReading(): (settings: Settings) => Reading {
  const { t } = useLanguage();
  return (settings) => ({
    ...settings,
    relationship: t('members.contact'),
    levelName: (level) => t(`level.${level}`),
  });
}

interface ColumnsProps {
  readonly table: CsvTable;
  readonly columns: Columns;
  readonly onChange: (columns: Columns) => void;
}

function ColumnChoices({ table: { titles, lines }, columns, onChange }: ColumnsProps) {
  const { t } = useLanguage();
  const mayWriteNotes = useScopes()('members:medical');
  const fields = FIELDS.filter((field) => field !== 'notes' || mayWriteNotes);
  const options = fields.map((value) => ({ value: value as Field | '', label: t(`imports.field.${value}`) }));
  const fieldOf = (at: number) => fields.find((field) => columns[field] === at) ?? '';
  const exampleOf = (at: number): ReactNode => lines.find(({ cells }) => cells[at])?.cells[at];
  const choiceOf = (at: number) => (
    <Choice
      label={t('imports.becomes', { title: titles[at]! })}
      hideLabel
      value={fieldOf(at)}
      onChange={(field) => onChange(withChoice(columns, at, field))}
      options={[{ value: '', label: t('imports.leftOut') }, ...options]}
    />
  );
  return (
    <Table
      label={t('imports.columns')}
      rows={titles.map((_, at) => at)}
      rowKey={String}
      columns={[
        { key: 'title', title: t('imports.column'), cell: (at) => <strong>{titles[at] || '–'}</strong> },
        { key: 'example', title: t('imports.example'), cell: exampleOf },
        { key: 'field', title: t('imports.becomesTitle'), cell: choiceOf },
      ]}
    />
  );
}

interface DetailsProps {
  readonly table: CsvTable;
  readonly settings: Settings;
  readonly set: (changes: Partial<Settings>) => void;
}

/** Whether phone numbers are without their country. */
const hasLocalPhones = ({ lines }: CsvTable, { contactPhone }: Columns): boolean =>
  lines.some(({ cells }) => {
    const text = cells[contactPhone ?? -1] ?? '';
    return /^\D*[1-9(]|^0[^0]/.test(text) && !text.startsWith('+');
  });

/** What the columns leave open: dates that can be read both ways, phone numbers without a country, unknown levels. */
function Details({ table, settings, set }: DetailsProps) {
  const { t } = useLanguage();
  const { columns } = settings;
  const cellsOf = (field: Field) => table.lines.map(({ cells }) => cells[columns[field] ?? -1] ?? '');
  const unknown = useMemo(
    () => unknownLevels(table, { columns, levelName: (level) => t(`level.${level}`) }),
    [table, columns, t],
  );
  return (
    <>
      <div className="columns">
        {isAmbiguous(cellsOf('born')) && (
          <Choice
            label={t('imports.order')}
            value={settings.order}
            onChange={(order) => set({ order })}
            options={(['day', 'month'] as const).map((value) => ({ value, label: t(`imports.order.${value}`) }))}
          />
        )}
        {hasLocalPhones(table, columns) && (
          <TextField
            label={t('imports.countryCode')}
            description={t('imports.countryCodeHint')}
            inputMode="tel"
            isRequired
            value={settings.countryCode}
            onChange={(countryCode) => set({ countryCode })}
          />
        )}
      </div>
      {unknown.length > 0 && (
        <Notice kind="warning">{t('imports.unknownLevels', { levels: unknown.slice(0, 10).join(', ') })}</Notice>
      )}
    </>
  );
}

interface FormProps {
  readonly table: CsvTable;
  readonly isPending: boolean;
  readonly onCheck: (settings: Settings) => void;
}

/** Which columns of a file become which fields. */
export function ReadingForm({ table, isPending, onCheck }: FormProps) {
  const { t, tag } = useLanguage();
  const mayWriteNotes = useScopes()('members:medical');
  const [settings, setSettings] = useState(() => settingsOf(table, mayWriteNotes));
  const set = (changes: Partial<Settings>) => setSettings((before) => ({ ...before, ...changes }));
  const program = programOf(table.titles);
  const missing = missingOf(settings.columns);
  const isReady = missing.length === 0 && (settings.countryCode !== '' || !hasLocalPhones(table, settings.columns));
  return (
    <>
      {program && <Notice kind="success">{t('imports.recognised', { program })}</Notice>}
      <ColumnChoices table={table} columns={settings.columns} onChange={(columns) => set({ columns })} />
      <Details table={table} settings={settings} set={set} />
      {missing.length > 0 && (
        <Notice kind="warning">
          {t('imports.missing', { fields: missing.map((field) => t(`imports.field.${field}`)).join(', ') })}
        </Notice>
      )}
      <div>
        <Button kind="primary" isPending={isPending} isDisabled={!isReady} onPress={() => onCheck(settings)}>
          {t('imports.check', { count: table.lines.length.toLocaleString(tag) })}
        </Button>
      </div>
    </>
  );
}

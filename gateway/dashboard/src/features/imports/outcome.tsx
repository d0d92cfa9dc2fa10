import type { DataImport } from '@swim/sdk';
import type { ReactNode } from 'react';
import { Section } from '../../design/page.tsx';
import { Table } from '../../design/tables/table.tsx';
import type { TextKey } from '../../texts/en.ts';
import { useLanguage } from '../../texts/language.tsx';
import { preparedFor } from './file/prepared.ts';

const COUNTS = ['created', 'updated', 'unchanged', 'failed'] as const;
const MOST_SHOWN = 100;

/** The fields of a row as the pages name them. */
const FIELDS: Readonly<Record<string, TextKey>> = {
  external_id: 'imports.field.id',
  name: 'imports.field.name',
  date_of_birth: 'imports.field.born',
  swimming_level: 'imports.field.level',
  medical_notes: 'imports.field.notes',
  emergency_contact: 'members.contact',
  'emergency_contact.name': 'imports.field.contactName',
  'emergency_contact.phone': 'imports.field.contactPhone',
  'emergency_contact.relationship': 'imports.field.contactRelationship',
  family: 'families.family',
  'family.external_id': 'imports.field.familyId',
  'family.email': 'imports.field.familyEmail',
  'family.name': 'imports.field.familyName',
  'family.locale': 'imports.field.familyLanguage',
};

type RowError = DataImport['errors'][number] & { readonly key: string };

/** The rows that are left out, and why. Their lines and names are known as long as the file is. */
function RowErrors({ of: { id, errors } }: { of: DataImport }) {
  const { t, tag, rejected } = useLanguage();
  const prepared = preparedFor(id);
  // The titles are above the rows.
  const lineOf = ({ row }: RowError): ReactNode => (prepared?.lines[row] ?? row + 2).toLocaleString(tag);
  const nameOf = ({ row }: RowError) => prepared?.rows[row]?.name as ReactNode;
  const shown = errors.slice(0, MOST_SHOWN).map((error, at) => ({ ...error, key: String(at) }));
  return (
    <Section title={t('imports.errors')} lead={t('imports.errorsLead')}>
      <Table
        label={t('imports.errors')}
        rows={shown}
        rowKey={({ key }) => key}
        columns={[
          { key: 'line', title: t('imports.line'), isNumeric: true, cell: lineOf },
          { key: 'name', title: t('members.name'), cell: nameOf },
          {
            key: 'field',
            title: t('imports.fieldTitle'),
            cell: ({ field }) => (FIELDS[field] ? t(FIELDS[field]) : field),
          },
          {
            key: 'reason',
            title: t('imports.reason'),
            cell: ({ field, reason }) => rejected({ field, reason, message: reason.replaceAll('_', ' ') }),
          },
        ]}
      />
      {errors.length > MOST_SHOWN && (
        <p className="hint">{t('imports.moreErrors', { count: (errors.length - MOST_SHOWN).toLocaleString(tag) })}</p>
      )}
    </Section>
  );
}

/** What an import has done, or would do. */
export function Outcome({ of }: { of: DataImport }) {
  const { t, tag } = useLanguage();
  return (
    <>
      <dl className="facts card">
        {COUNTS.map((name) => (
          <div key={name}>
            <dt>{t(`imports.${name}`)}</dt>
            <dd>
              <strong>{of[name].toLocaleString(tag)}</strong>
            </dd>
          </div>
        ))}
      </dl>
      {of.errors.length > 0 && <RowErrors of={of} />}
    </>
  );
}

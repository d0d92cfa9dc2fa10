import { z } from 'zod';
import { locale } from '../accounts/accounts.js';
import { id, idText, instantText, nameText, notBlank } from '../formats/formats.js';
import { changingFilters, listQuery, several } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { email, swimmingLevel } from '../formats/person.js';
import { rpc } from '../operations/operation.js';
import { createMember } from './members.js';

export const IMPORT_KINDS = ['families'] as const;
export const IMPORT_STATUSES = ['open', 'running', 'done'] as const;
/** The most rows of one import, and of one request. */
export const MOST_IMPORT_ROWS = 10_000;
const MOST_ROWS_AT_ONCE = 500;
/** The most errors of an import in a list. */
export const MOST_LISTED_ERRORS = 100;

const count = (description: string) => z.int().meta({ description });

/** An import of families with their members. */
export const dataImport = apiObject('import', {
  id: idText('imp'),
  kind: z.enum(IMPORT_KINDS),
  status: z.enum(IMPORT_STATUSES).meta({ description: '`open` takes rows; `running` and `done` take no more' }),
  rows: count('How many rows it has'),
  created: count('Rows of which the member was made, with a family where there was none'),
  updated: count('Rows that changed a member or its family'),
  unchanged: count('Rows that changed nothing'),
  failed: count('Rows that were left out'),
  errors: z
    .array(
      z.object({
        row: z.int().meta({ description: 'The row: the first one is 0' }),
        field: z.string().meta({ description: 'The field of the row, such as `family.email`' }),
        reason: z.string().meta({
          description:
            'As in errors of requests; or `ambiguous`: several match; `contradictory`: an earlier row of the import says otherwise about the same family or member; `claimed`: the family is claimed, so that only itself adds members',
        }),
      }),
    )
    .meta({
      description: `What is wrong with the rows that failed: the first 750 kB, and in a list or an export the first ${MOST_LISTED_ERRORS} errors of each import. \`failed\` counts all of these rows`,
    }),
  created_at: instantText,
  updated_at: instantText,
});
export type DataImport = z.output<typeof dataImport>;

const externalId = nameText(200);
const { name, date_of_birth, medical_notes, emergency_contact } = createMember.input.shape;

/** One row: a member with its family. */
export const importedRow = z.strictObject({
  external_id: externalId.optional(),
  name,
  date_of_birth,
  swimming_level: swimmingLevel.optional(),
  medical_notes,
  emergency_contact,
  family: z.strictObject({
    external_id: externalId.optional(),
    email,
    name: notBlank(200),
    locale: locale.optional(),
  }),
});
export type ImportedRow = z.output<typeof importedRow>;

export const createImport = rpc('people.createImport', {
  summary: 'Create an import',
  description:
    'An import of families with their members, by the school: add its rows, then run it. One that is not run within seven days is removed. At most ten are open or running: a further one takes the place of the oldest that was not run.',
  kind: 'write',
  input: z.strictObject({ kind: z.enum(IMPORT_KINDS).meta({ description: 'What the rows contain' }) }),
  output: dataImport,
  errors: ['school_only', 'limit_reached'],
});

const ofImport = z.strictObject({ import_id: id('imp') });

export const addImportRows = rpc('people.addImportRows', {
  summary: 'Add rows to an import',
  description: `Appends rows to an import that is open, at most ${MOST_IMPORT_ROWS.toLocaleString('en')} in all. Each is one member with its family: \`{external_id?, name, date_of_birth, swimming_level?, medical_notes?, emergency_contact?, family {external_id?, email, name, locale?}}\`. What is wrong with a row is reported once the import runs. Medical notes need the scope \`members:medical\`.`,
  kind: 'write',
  reveals: 'members:medical',
  input: z.strictObject({
    import_id: id('imp'),
    rows: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(MOST_ROWS_AT_ONCE, { abort: true })
      .meta({ description: 'Rows in their order: the first one of an import is row 0' }),
  }),
  output: dataImport,
  errors: ['resource_not_found', 'missing_scope', 'invalid_state', 'limit_reached', 'change_in_progress'],
});

export const runImport = rpc('people.runImport', {
  summary: 'Run an import',
  description:
    'Makes and changes the families and members of its rows in the background; a dry run counts what it would do. A member is matched by `external_id`, else by name and date of birth in its family; a family by `external_id`, else by e-mail among those that this school has made. Fields that a row leaves out stay. Claimed families stay as they are. Nobody gets an e-mail. The rows are removed once they were processed. A second call answers the same import.',
  kind: 'write',
  isIsolated: true,
  input: ofImport,
  output: dataImport,
  errors: ['resource_not_found', 'change_in_progress'],
});

export const getImport = rpc('people.getImport', {
  summary: 'Get an import',
  description: 'An import of the school, and how far it has come.',
  kind: 'read',
  input: ofImport,
  output: dataImport,
  errors: ['resource_not_found'],
});

export const listImports = rpc('people.listImports', {
  summary: 'List imports',
  description: 'The imports of the school, newest first.',
  kind: 'list',
  input: listQuery({ status: several(IMPORT_STATUSES).optional(), ...changingFilters('imp') }),
  output: dataImport,
});

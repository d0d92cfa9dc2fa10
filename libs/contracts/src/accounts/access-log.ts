import { z } from 'zod';
import { id, idText, instantOrDate, instantText } from '../formats/formats.js';
import { listQuery } from '../formats/list-query.js';
import { apiObject } from '../formats/object-kinds.js';
import { rpc } from '../operations/operation.js';

/** Accesses to members: read one by one, in a list or on a roster, updated (the response contains them), progress read or assessed. */
export const ACCESS_ACTIONS = ['read', 'list', 'roster', 'update', 'progress', 'assess'] as const;
export type AccessAction = (typeof ACCESS_ACTIONS)[number];

/** One request whose response contained personal data of an account's members, without the data. */
export const accessEntry = apiObject('access_log_entry', {
  id: idText('alog'),
  action: z.enum(ACCESS_ACTIONS),
  member_ids: z.array(idText('mem')).meta({ description: 'Whose data were answered; of a list, those of its page' }),
  medical_notes: z.boolean().meta({ description: 'Whether medical notes were among what was answered' }),
  account_id: idText('acct').meta({ description: 'The account of the key: a school, or the account itself' }),
  key_id: idText('key'),
  network: z
    .string()
    .nullable()
    .meta({ description: 'Where the request came from: the /24 of an IPv4 address, the /64 of an IPv6 address' }),
  request_id: z.string(),
  created_at: instantText,
});
export type AccessEntry = z.output<typeof accessEntry>;

export const listAccessLog = rpc('people.listAccessLog', {
  summary: 'List reads of personal data',
  description: 'Which key read which member, when, and from which network; newest first. Entries are kept for a year.',
  kind: 'list',
  input: listQuery({
    account_id: id('acct'),
    member_id: id('mem').optional(),
    key_id: id('key').optional(),
    date_from: instantOrDate.optional(),
    date_to: instantOrDate.optional(),
  }),
  output: accessEntry,
  errors: ['foreign_account'],
});

import { z } from 'zod';
import { instantText } from '../formats/formats.js';
import { rpc } from '../operations/operation.js';

/**
 * The time of people's database, the one clock, for processes without a database. They go by the header that every reply
 * carries; the body holds the same.
 */
export const readClock = rpc('people.readClock', {
  kind: 'read',
  input: z.strictObject({}),
  output: z.object({ now: instantText.meta({ description: 'ISO 8601 UTC with milliseconds' }) }),
});

import type { z } from 'zod';
import { id } from '../formats/formats.js';
import { listQuery } from '../formats/list-query.js';
import { rpc, type ServiceName } from './operation.js';

/** The list of what an account itself has of a resource, as its export has it: without what it only sees. */
export const ownList = <O extends z.ZodType>(name: `${ServiceName}.listOwn${string}`, output: O) =>
  rpc(name, { kind: 'list', input: listQuery({ account_id: id('acct') }), output, errors: ['foreign_account'] });

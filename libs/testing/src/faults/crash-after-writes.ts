import type { Databases } from '@swim/mongo';
import type { mongo } from 'mongoose';

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);

const isWrite = (commandName: string): boolean => WRITES.has(commandName);

// Sweeps write these collections even when there is no request.
const HOUSEKEEPING = new Set(['migrations', 'claim_audits', 'delete published']);

/** Returns whether a command changes data for a request or a saga, as opposed to housekeeping. */
export const isWorkWrite = (commandName: string, collection: string): boolean =>
  isWrite(commandName) && !HOUSEKEEPING.has(collection) && !HOUSEKEEPING.has(`${commandName} ${collection}`);

/**
 * Prepares this process to kill itself by SIGKILL as soon as the database has acknowledged the nth write from the call, before
 * any code of the service receives the acknowledgement; 0 cancels it. The connection's address must have
 * `monitorCommands=true`.
 */
export function crashOnDemand(databases: Databases): (n: number) => void {
  let left = 0;
  databases.connection.getClient().on('commandSucceeded', ({ commandName }: mongo.CommandSucceededEvent) => {
    if (left > 0 && isWrite(commandName) && --left === 0) process.kill(process.pid, 'SIGKILL');
  });
  return (n) => {
    left = n;
  };
}

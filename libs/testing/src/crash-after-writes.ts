import type { Databases } from '@swim/mongo';
import type { mongo } from 'mongoose';

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify']);

/** Whether a command of the database changes data. */
export const isWrite = (commandName: string): boolean => WRITES.has(commandName);

/**
 * Prepares this process to end itself by SIGKILL as soon as the database has acknowledged the nth write after it was
 * told so, before any code of the service hears of it; 0 takes it back. The connection's address must carry
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

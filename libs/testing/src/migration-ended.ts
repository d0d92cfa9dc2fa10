import type { mongo } from 'mongoose';
import { until } from './until.js';

/**
 * Waits until the service has ended a data migration of a database, which runs in the background after its start. A test that
 * runs the migration itself calls this before it stores documents in a former format: either run could change them otherwise.
 */
export async function migrationEnded(database: mongo.Db, name: string): Promise<void> {
  const migrations = database.collection<{ _id: string; appliedAt?: Date }>('migrations');
  const hasEnded = async () => (await migrations.findOne({ _id: name }))?.appliedAt !== undefined;
  await until(hasEnded, `the data migration ${name} has ended`);
}

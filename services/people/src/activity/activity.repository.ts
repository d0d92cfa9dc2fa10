import { Injectable } from '@nestjs/common';
import { asSystem, Databases, Repository } from '@swim/mongo';
import { type ActivityEntryDocument, activityEntrySchema } from './activity-entry.schema.js';

const WRITING = asSystem('live', 'each entry names its reader itself');

@Injectable()
export class ActivityRepository extends Repository<ActivityEntryDocument> {
  constructor(databases: Databases) {
    super(databases.userCollection('user_activity', activityEntrySchema));
  }

  async insert(entry: ActivityEntryDocument): Promise<void> {
    await this.tryInsert(WRITING, entry);
  }
}

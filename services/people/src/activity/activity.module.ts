import { Module } from '@nestjs/common';
import { ActivityRepository } from './activity.repository.js';
import { ActivityService } from './activity.service.js';

/** The log of what users of the dashboard did. */
@Module({ providers: [ActivityService, ActivityRepository], exports: [ActivityService] })
export class ActivityModule {}

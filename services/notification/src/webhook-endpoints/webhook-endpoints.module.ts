import { Module } from '@nestjs/common';
import { DataKeys, KEY_WRAPPING, underMasterKeys } from '@swim/mongo';
import { MasterKeys } from '@swim/platform';
import { config } from '../config.js';
import { TargetGuard } from './target-guard.service.js';
import { WebhookEndpointsRepository } from './webhook-endpoints.repository.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';
import { WebhookSecretsService } from './webhook-secrets.service.js';
import { WebhookTargetsService } from './webhook-targets.service.js';

const masterKeys = new MasterKeys('notification', config);

/** Webhook endpoints of accounts, their secrets, and the guard of the addresses that they lead to. */
@Module({
  providers: [
    WebhookEndpointsService,
    WebhookSecretsService,
    WebhookTargetsService,
    TargetGuard,
    WebhookEndpointsRepository,
    DataKeys,
    { provide: KEY_WRAPPING, useValue: underMasterKeys(masterKeys) },
  ],
  exports: [WebhookEndpointsService, WebhookSecretsService, WebhookTargetsService, TargetGuard],
})
export class WebhookEndpointsModule {}

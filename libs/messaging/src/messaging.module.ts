import { type DynamicModule, Module, type Type } from '@nestjs/common';
import type { ServiceName } from '@swim/contracts';
import { Clock, type HealthServer, type Logger } from '@swim/platform';
import { EventPublisher } from './event-publisher.js';
import { RpcClient } from './rpc-client.js';

/** Injection tokens for what is not a class of its own. */
export const LOGGER = Symbol('logger');
export const HEALTH = Symbol('health');
export const SERVICE_NAME = Symbol('service name');
/** The library that keeps idempotency records provides it; null without one. */
export const SERVE_INTERCEPTOR = Symbol('serve interceptor');

interface Parts {
  service: ServiceName;
  client: RpcClient;
  publisher: EventPublisher;
  health: HealthServer;
  logger: Logger;
  clock: Clock;
}

@Module({})
export class MessagingModule {
  /** The root module of a service: its own module, and what the messaging library gives to all of its classes. */
  static around(
    module: Type | DynamicModule,
    { service, client, publisher, health, logger, clock }: Parts,
  ): DynamicModule {
    const providers = [
      { provide: RpcClient, useValue: client },
      { provide: EventPublisher, useValue: publisher },
      { provide: Clock, useValue: clock },
      { provide: LOGGER, useValue: logger },
      { provide: HEALTH, useValue: health },
      { provide: SERVICE_NAME, useValue: service },
    ];
    return {
      module: MessagingModule,
      global: true,
      imports: [module],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}

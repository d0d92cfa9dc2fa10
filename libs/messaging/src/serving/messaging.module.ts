import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import type { ServiceName } from '@swim/contracts';
import {
  Clock,
  CONFIG,
  EventSink,
  HEALTH,
  type HealthServer,
  LOGGER,
  type Logger,
  SERVICE_NAME,
  TRACER,
  type Tracer,
} from '@swim/platform';
import { RpcClient } from '../operations/rpc-client.js';
import { EventPublisher } from '../publishing/event-publisher.js';
import { StreamKeeper } from '../streams/stream-keeper.js';

interface MessagingParts {
  service: ServiceName;
  config: object;
  client: RpcClient;
  streams: StreamKeeper;
  publisher: EventPublisher;
  health: HealthServer;
  logger: Logger;
  tracer: Tracer | null;
  clock: Clock;
}

@Module({})
export class MessagingModule {
  /** Returns the root module of a service: its own module with the global providers of this library. */
  static around(
    module: Type | DynamicModule,
    { service, config, client, streams, publisher, health, logger, tracer, clock }: MessagingParts,
  ): DynamicModule {
    const providers = [
      { provide: RpcClient, useValue: client },
      { provide: StreamKeeper, useValue: streams },
      { provide: EventPublisher, useValue: publisher },
      { provide: EventSink, useExisting: EventPublisher },
      { provide: Clock, useValue: clock },
      { provide: LOGGER, useValue: logger },
      { provide: HEALTH, useValue: health },
      { provide: TRACER, useValue: tracer },
      { provide: SERVICE_NAME, useValue: service },
      { provide: CONFIG, useValue: config },
    ];
    return {
      module: MessagingModule,
      global: true,
      imports: [DiscoveryModule, module],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}

import { Controller } from '@nestjs/common';
import { type OutputOf, type ParsedOf, readClock, verifyKey } from '@swim/contracts';
import { Serve } from '@swim/messaging';
import { sharedClock } from '@swim/platform';
import { AccessService } from './access.service.js';

@Controller()
export class AccessController {
  constructor(private readonly access: AccessService) {}

  @Serve(verifyKey)
  async verify(input: ParsedOf<typeof verifyKey>): Promise<OutputOf<typeof verifyKey>> {
    return this.access.verify(input);
  }

  @Serve(readClock)
  async readClock(): Promise<OutputOf<typeof readClock>> {
    return { now: sharedClock.now().toISOString() };
  }
}

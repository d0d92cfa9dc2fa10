import { Controller } from '@nestjs/common';
import {
  type ApiKey,
  type ApiKeyWithText,
  createKey,
  getKey,
  listKeys,
  type Page,
  type ParsedOf,
  revokeKey,
  rollKey,
  updateKey,
} from '@swim/contracts';
import { type Call, Serve } from '@swim/messaging';
import { KeysService } from './keys.service.js';

@Controller()
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Serve(listKeys)
  async list(input: ParsedOf<typeof listKeys>, call: Call): Promise<Page<ApiKey>> {
    return this.keys.list(input, call);
  }

  @Serve(getKey)
  async get(input: ParsedOf<typeof getKey>, call: Call): Promise<ApiKey> {
    return this.keys.get(input, call);
  }

  @Serve(createKey)
  async create(input: ParsedOf<typeof createKey>, call: Call): Promise<ApiKeyWithText> {
    return this.keys.create(input, call);
  }

  @Serve(updateKey)
  async update(input: ParsedOf<typeof updateKey>, call: Call): Promise<ApiKey> {
    return this.keys.update(input, call);
  }

  @Serve(rollKey)
  async roll(input: ParsedOf<typeof rollKey>, call: Call): Promise<ApiKeyWithText> {
    return this.keys.roll(input, call);
  }

  @Serve(revokeKey)
  async revoke(input: ParsedOf<typeof revokeKey>, call: Call): Promise<ApiKey> {
    return this.keys.revoke(input, call);
  }
}

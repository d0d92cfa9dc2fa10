import { Controller } from '@nestjs/common';
import {
  type ApiKey,
  type ApiKeyWithText,
  createKey,
  getKey,
  getMe,
  listKeys,
  type Me,
  type Page,
  type ParsedOf,
  revokeKey,
  rollKey,
  updateKey,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { KeysService } from './keys.service.js';

@Controller()
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Serve(listKeys)
  async list(input: ParsedOf<typeof listKeys>, context: RequestContext): Promise<Page<ApiKey>> {
    return this.keys.list(input, context);
  }

  @Serve(getKey)
  async get(input: ParsedOf<typeof getKey>, context: RequestContext): Promise<ApiKey> {
    return this.keys.get(input, context);
  }

  @Serve(getMe)
  async getMe(_: ParsedOf<typeof getMe>, context: RequestContext): Promise<Me> {
    return this.keys.getMe(context);
  }

  @Serve(createKey)
  async create(input: ParsedOf<typeof createKey>, context: RequestContext): Promise<ApiKeyWithText> {
    return this.keys.create(input, context);
  }

  @Serve(updateKey)
  async update(input: ParsedOf<typeof updateKey>, context: RequestContext): Promise<ApiKey> {
    return this.keys.update(input, context);
  }

  @Serve(rollKey)
  async roll(input: ParsedOf<typeof rollKey>, context: RequestContext): Promise<ApiKeyWithText> {
    return this.keys.roll(input, context);
  }

  @Serve(revokeKey)
  async revoke(input: ParsedOf<typeof revokeKey>, context: RequestContext): Promise<ApiKey> {
    return this.keys.revoke(input, context);
  }
}

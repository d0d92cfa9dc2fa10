import { Controller } from '@nestjs/common';
import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  listPasskeys,
  type OutputOf,
  type Page,
  type ParsedOf,
  type Passkey,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from '@swim/contracts';
import { Serve } from '@swim/messaging';
import type { RequestContext } from '@swim/platform';
import { PasskeySetupService } from './passkey-setup.service.js';
import { SecondStepService } from './second-step.service.js';

@Controller()
export class PasskeysController {
  constructor(
    private readonly setup: PasskeySetupService,
    private readonly steps: SecondStepService,
  ) {}

  @Serve(beginPasskeySignIn)
  beginSignIn(input: ParsedOf<typeof beginPasskeySignIn>): Promise<OutputOf<typeof beginPasskeySignIn>> {
    return this.steps.beginPasskey(input);
  }

  @Serve(signInWithPasskey)
  signIn(
    input: ParsedOf<typeof signInWithPasskey>,
    context: RequestContext,
  ): Promise<OutputOf<typeof signInWithPasskey>> {
    return this.steps.completeByPasskey(input, context);
  }

  @Serve(beginPasskey)
  begin(_: ParsedOf<typeof beginPasskey>, context: RequestContext): Promise<OutputOf<typeof beginPasskey>> {
    return this.setup.begin(context);
  }

  @Serve(addPasskey)
  add(input: ParsedOf<typeof addPasskey>, context: RequestContext): Promise<OutputOf<typeof addPasskey>> {
    return this.setup.add(input, context);
  }

  @Serve(listPasskeys)
  list(_: ParsedOf<typeof listPasskeys>, context: RequestContext): Promise<Page<Passkey>> {
    return this.setup.list(context);
  }

  @Serve(renamePasskey)
  rename(input: ParsedOf<typeof renamePasskey>, context: RequestContext): Promise<Passkey> {
    return this.setup.rename(input, context);
  }

  @Serve(removePasskey)
  remove(input: ParsedOf<typeof removePasskey>, context: RequestContext): Promise<OutputOf<typeof removePasskey>> {
    return this.setup.remove(input, context);
  }
}

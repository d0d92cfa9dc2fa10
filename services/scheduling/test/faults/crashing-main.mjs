import { runCrashing } from '@swim/testing';
import { AppModule } from '../../dist/app.module.js';
import { config } from '../../dist/config.js';

await runCrashing('scheduling', AppModule, config);

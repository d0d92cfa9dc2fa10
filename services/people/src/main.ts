import 'reflect-metadata';
import { runService } from '@swim/messaging';
import { AppModule } from './app.module.js';
import { config } from './config.js';

await runService('people', AppModule, config);

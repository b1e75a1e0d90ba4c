import type { SettingName, Settings } from '../config/settings/settings.ts';
import type { KeyScope } from '../domain/access/api-key.ts';
import type { Log } from '../lib/reports/log.ts';

/** A value of a setting, as it would be in the configuration file. */
type SettingValue = string | number | boolean | Readonly<Record<string, string>>;

/** The values of a setting: its words where it has some, such as `argentina` of `market`. */
type ValueOf<Parsed> = Parsed extends string
  ? string extends Parsed
    ? SettingValue
    : Parsed
  : SettingValue;

type SettingOptions = { readonly [Name in SettingName]?: ValueOf<Settings[Name]> };

/** What a program can choose: every setting by its name (docs/settings.md), and these fields. */
export interface ServiceOptions extends SettingOptions {
  /** The feeds, as the configuration file lists them below `feeds:`. */
  readonly feeds?: readonly object[];
  /** The folder at which relative paths of the feeds begin, by default the working directory. */
  readonly directory?: string;
  /** Receives what the service reports. By default the reports are discarded. */
  readonly log?: Log;
}

/** A key to be created. */
export interface KeyRequest {
  /** User or purpose of the key. */
  readonly name: string;
  /** What the key permits: `read`, by default, `ingest` for `POST /updates`, or `url` (docs/keys.md). */
  readonly scope?: KeyScope;
  /** The instant from which the key is no longer valid. By default it does not expire. Required for `url`. */
  readonly expiresAt?: Date;
  /** A configured plan of rate limits. By default the default plan applies. */
  readonly plan?: string;
}

/** A key that was just created. Only its hash is stored, so it is never shown again. */
export interface IssuedKey {
  readonly id: string;
  readonly key: string;
}

/** A service that runs in the process of the caller. */
export interface EmbeddedService extends AsyncDisposable {
  /** URL of the public listener, with its actual port and the base path. */
  readonly url: string;
  /** URL of the private listener. */
  readonly privateUrl: string;
  /** Whether the service started with the demonstration, whose prices are made up. */
  readonly isSimulated: boolean;
  /**
   * Creates a key, which the service accepts when the promise resolves.
   *
   * @throws UsageFault when the name, the scope, the expiry or the plan is not valid.
   */
  createKey(request: KeyRequest): Promise<IssuedKey>;
  /**
   * Stops the service: it drains the listeners, commits all quotes and closes the store. A further call
   * waits for the same stop.
   */
  stop(): Promise<void>;
}

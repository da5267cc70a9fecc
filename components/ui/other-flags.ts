import { BR, CA, CN, DE, ES, FR, GB, IN, IT, JP, KR, MX, RU, US } from "country-flag-icons/string/3x2";

/** Every flag except the default country's. This module is a separate chunk, loaded on demand. */
export const otherFlags: Record<string, string> = { BR, CA, CN, DE, ES, FR, GB, IN, IT, JP, KR, MX, RU, US };

import { currentSettings, replaceSettings, type Settings } from "@/lib/server/settings";

export async function withSettings<T>(changes: Partial<Settings>, work: () => Promise<T>): Promise<T> {
  const settings = currentSettings();
  replaceSettings({ ...settings, ...changes });
  return work().finally(() => replaceSettings(settings));
}

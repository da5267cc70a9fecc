/** It comes without types. */
declare module "autocannon";

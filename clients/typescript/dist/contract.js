// Generated from contract/openapi.yaml by `npm run clients:types`. Do not edit.
export {};
//# sourceMappingURL=contract.js.map
export {};
//# sourceMappingURL=result.js.map
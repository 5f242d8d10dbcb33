"""What a conformance kit raises."""


class ContractError(AssertionError):
    """What an algorithm, an outcome model or a storage does that its contract does not allow."""


class CudaToolsMissingError(RuntimeError):
    """PTX cannot be made here: numba-cuda or NVIDIA's compiler libraries are not installed."""

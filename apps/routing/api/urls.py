from django.urls import path

from apps.core.endpoints import converters  # noqa: F401 - registers `id`
from apps.routing.api.answer_times import AnswerTimesViewSet
from apps.routing.api.chats import ChatRoutingViewSet
from apps.routing.api.places import PlacesViewSet
from apps.routing.api.queue import QueueViewSet
from apps.routing.api.settings import DepartmentRoutingViewSet, RoutingViewSet

READ_AND_CHANGE = {"get": "retrieve", "patch": "partial_update"}

urlpatterns = [
    path("queue", QueueViewSet.as_view({"get": "retrieve"})),
    path("routing", RoutingViewSet.as_view(READ_AND_CHANGE)),
    path("departments/<id:department_id>/routing", DepartmentRoutingViewSet.as_view(READ_AND_CHANGE)),
    path("agents/<id:agent_id>/routing", PlacesViewSet.as_view(READ_AND_CHANGE)),
    path("stats/answer-times", AnswerTimesViewSet.as_view({"get": "list"})),
    path("chats/<id:chat_id>/routing", ChatRoutingViewSet.as_view({"get": "retrieve"})),
    path("chats/<id:chat_id>/route", ChatRoutingViewSet.as_view({"post": "route"})),
]
